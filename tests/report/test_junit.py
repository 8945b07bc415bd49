from pathlib import Path
from xml.etree import ElementTree

from uaeval.cli.evaluate import write_junit
from uaeval.evaluation.gate import Check, read_limits


def test_the_junit_file_is_valid_xml_for_any_name(tmp_path: Path) -> None:
    [limit] = read_limits(["joint=0.5"])
    told = 'value <0.4> & "\x00\x1b[31m\ud800"'
    path = tmp_path / "junit.xml"
    write_junit(path, "a<b>\x07&'", [Check(limit=limit, passed=False, message=told)])
    root = ElementTree.parse(path).getroot()
    [case] = root.iter("testcase")
    assert case.get("classname") == "uaeval.a<b>�&'"
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == 'value <0.4> & "��[31m�"'
