#include <teamsan/traces/RenamePlaces.hpp>

#include <teamsan/traces/TraceRecords.hpp>

namespace teamsan::traces {

std::string rename_places(std::string const& file, std::string const& from, std::string const& to,
                          std::string const& output) {
  auto const rename = [&](std::string& path) {
    if (path.starts_with(from)) path.replace(0, from.size(), to);
  };
  TraceReader reader(file);
  TraceWriter writer(output);
  for (TraceRecord record; reader.next(record);) {
    switch (static_cast<RecordTag>(record.tag)) {
      case RecordTag::run: {
        auto run = decode<RunRecord>(record.bytes);
        rename(run.directory);
        for (std::string& argument : run.arguments) rename(argument);
        writer.add(record.tag, encode(run));
        break;
      }
      case RecordTag::frames: {
        auto frames = decode<FramesRecord>(record.bytes);
        for (auto& f : frames.frames) rename(f.file);
        writer.add(record.tag, encode(frames));
        break;
      }
      case RecordTag::source: {
        auto source = decode<SourceRecord>(record.bytes);
        rename(source.file);
        writer.add(record.tag, encode(source));
        break;
      }
      default:
        writer.add(record.tag, record.bytes);
    }
  }
  if (reader.damage().empty())
    writer.finish();
  else
    writer.flush();
  return reader.damage();
}

}  // namespace teamsan::traces
