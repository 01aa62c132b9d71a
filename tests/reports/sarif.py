# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SARIF: valid by the published JSON schema, and what GitHub's code scanning asks for beyond it.

    sarif.py SAMPLES SCHEMA
"""
# needs: jsonschema

import json
import pathlib
import re
import sys

import jsonschema

from programs import expect, skip

samples, schema_file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
if not schema_file.exists():
    skip(f"no {schema_file}: scripts/setup --validators gets the SARIF schema where npm is")
schema = json.loads(schema_file.read_text())
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
validator = kind(schema)


def check_result(name, result, rules):
    expect(rules[result["ruleIndex"]]["id"] == result["ruleId"], f"{name}: ruleIndex is another rule's")
    expect(result["level"] in ("error", "warning", "note"), f"{name}: level {result['level']}")
    # GitHub's own fingerprint is a hash of the line, which it computes where a file has none.
    expect(list(result["partialFingerprints"]) == ["teamsanId/v1"], f"{name}: {result['partialFingerprints']}")
    # Code scanning refuses a file that has a result without a place.
    expect(len(result["locations"]) == 1, f"{name}: {result['ruleId']} has {len(result['locations'])} locations")
    for location in result["locations"] + result.get("relatedLocations", []):
        physical = location["physicalLocation"]
        uri = physical["artifactLocation"]["uri"]
        expect(not uri.startswith("/"), f"{name}: {uri} is neither relative nor a URI")
        expect(location in result.get("relatedLocations", []) or uri.startswith(("tests/", "examples/")),
               f"{name}: {uri} is not below the top of the tree")
        region = physical["region"]
        expect(region["startLine"] >= 1 and region["startColumn"] >= 1, f"{name}: {region}")
        expect(region["endLine"] >= region["startLine"], f"{name}: {region}")
        expect(region["endLine"] > region["startLine"] or region["endColumn"] > region["startColumn"],
               f"{name}: the region is empty: {region}")
    # Links of the message lead somewhere.
    known = {related["id"] for related in result.get("relatedLocations", [])}
    links = {int(number) for number in re.findall(r"(?<!\\)\]\((\d+)\)", result["message"]["text"])}
    expect(links <= known, f"{name}: links to {links - known} lead nowhere")
    for flow in result.get("codeFlows", []):
        for thread in flow["threadFlows"]:
            expect(thread["locations"], f"{name}: an empty flow")


results, rules_seen = 0, set()
files = sorted(samples.glob("*.sarif"))
expect(len(files) > 20, f"only {len(files)} SARIF files in {samples}")
for file in files:
    report = json.loads(file.read_text())
    problems = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in validator.iter_errors(report)]
    expect(not problems, f"{file.name} is not valid:\n  " + "\n  ".join(problems))
    run = report["runs"][0]
    driver = run["tool"]["driver"]
    expect(driver["name"] and driver["version"] and driver["semanticVersion"], f"{file.name}: {driver}")
    rules = driver["rules"]
    for rule in rules:
        expect(rule["defaultConfiguration"]["level"] in ("error", "warning", "note"), f"{file.name}: {rule['id']}")
        expect(len(rule["name"]) <= 255 and len(rule["shortDescription"]["text"]) <= 1024, f"{file.name}: {rule['id']}")
        for part in (rule["shortDescription"]["text"], rule["fullDescription"]["text"], rule["help"]["text"]):
            expect(part, f"{file.name}: the rule {rule['id']} lacks a text")
    expect(bool(run["results"]) != file.stem.endswith("_fixed"), f"{file.name}: {len(run['results'])} results")
    for result in run["results"]:
        check_result(file.name, result, rules)
        rules_seen.add(result["ruleId"])
        results += 1

# The validator does refuse what is wrong.
report["runs"][0]["results"] = [{"level": "bad"}]
expect(not validator.is_valid(report), "the validator takes anything")
expect(len(rules_seen) >= 17, f"only these rules were seen: {sorted(rules_seen)}")
print(f"{len(files)} files, {results} results of {len(rules_seen)} rules are valid by {schema['title']}")
