// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RenamePlaces.hpp"

#include "RecordVisit.hpp"

namespace teamsan::traces {

std::string rename_places(std::string const& file, std::string const& from, std::string const& to,
                          std::string const& output) {
  auto const rename = [&](std::string& path) {
    if (path.starts_with(from)) path.replace(0, from.size(), to);
  };
  TraceReader reader(file);
  TraceWriter writer(output);
  auto const add = [&](auto const& renamed) { writer.add(static_cast<Tag>(renamed.tag), encode(renamed)); };
  Overloads const renames{[&](RunRecord run) {
                            rename(run.directory);
                            for (std::string& argument : run.arguments) rename(argument);
                            add(run);
                          },
                          [&](FramesRecord frames) {
                            for (auto& f : frames.frames) rename(f.file);
                            add(frames);
                          },
                          [&](SourceRecord source) {
                            rename(source.file);
                            add(source);
                          }};
  for (TraceRecord record; reader.next(record);)
    if (!visit(record, renames)) writer.add(record.tag, record.bytes);
  if (reader.damage().empty())
    writer.finish();
  else
    writer.flush();
  return reader.damage();
}

}  // namespace teamsan::traces
