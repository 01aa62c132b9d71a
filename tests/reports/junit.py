# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JUnit: well-formed (xmllint), the numbers right, and with every element and attribute that CTest's own report has.

    junit.py SAMPLES CTEST
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from programs import expect, skip

samples, ctest = pathlib.Path(sys.argv[1]), sys.argv[2]
# What hangs on the machine and the hour, which a report that is the same at every run cannot hold.
OF_THE_MACHINE = {"hostname", "timestamp"}


def report_of_ctest():
    """A suite of a test that passes and one that fails, as `ctest --output-junit` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "CTestTestfile.cmake").write_text("add_test(good true)\nadd_test(bad false)\n")
        subprocess.run([ctest, "--output-junit", "ctest.xml"], cwd=folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        return xml.parse(pathlib.Path(folder, "ctest.xml")).getroot()


def xmllint(file, *arguments):
    return subprocess.run(["xmllint", *arguments, str(file)], capture_output=True, text=True, check=False)


def count(file, path):
    return int(xmllint(file, "--xpath", f"count({path})").stdout)


def check(file):
    report = json.loads(file.with_suffix(".json").read_text())
    wrong = {finding["kernel"] for finding in report["findings"] if finding["severity"] == "error"}
    problems = xmllint(file, "--noout")
    expect(problems.returncode == 0, f"{file.name} is not well-formed: {problems.stderr}")
    suites = xml.parse(file).getroot()
    suite = suites.find("testsuite")
    tests = count(file, "//testcase")
    failures = count(file, "//testcase/failure")
    expect(failures == max(len(wrong), report["program"]["crashed"]), f"{file.name}: {failures} failures, wrong are {wrong}")
    expect(tests >= max(1, report["program"]["kernels"]), f"{file.name}: {tests} test cases")
    for one in (suites, suite):
        expect(int(one.get("tests")) == tests and int(one.get("failures")) == failures, f"{file.name}: {one.attrib}")
    names = [case.get("name") for case in suite.findall("testcase")]
    expect(len(set(names)) == len(names), f"{file.name}: a kernel comes twice: {names}")
    for case in suite.findall("testcase"):
        failure = case.find("failure")
        expect((failure is not None) == (case.get("status") == "fail"), f"{file.name}: {case.attrib}")
        if failure is not None:
            expect("[" + failure.get("type") + "]" in failure.text, f"{file.name}: the failure does not quote its finding")
            expect("\n" not in failure.get("message"), f"{file.name}: a message of several lines")
    return suite


if shutil.which("xmllint") is None:
    skip("no xmllint (scripts/setup --validators installs it: libxml2-utils)")
files = sorted(samples.glob("*.junit"))
expect(len(files) > 20, f"only {len(files)} JUnit files in {samples}")
suites = [check(file) for file in files]
theirs = report_of_ctest()
expect(theirs.tag == "testsuite" and len(theirs.findall("testcase")) == 2, "CTest's report has another form")
for ours in suites:
    missing = set(theirs.attrib) - set(ours.attrib) - OF_THE_MACHINE
    expect(not missing, f"testsuite lacks {missing}, which CTest's has")
    for case in ours.findall("testcase"):
        like = next(one for one in theirs.findall("testcase") if one.get("status") == case.get("status"))
        missing = set(like.attrib) - set(case.attrib)
        expect(not missing, f"testcase lacks {missing}, which CTest's has")
        expect(case.find("failure") is None or "message" in case.find("failure").attrib, "a failure without a message")
print(f"{len(files)} files")
