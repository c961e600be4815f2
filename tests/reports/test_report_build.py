from __future__ import annotations

import io
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure as Canvas
from PIL import Image

from reports import build, style
from reports.document import Figure, Report, Reproduce, Section, Table, Text
from sim.errors import UserError
from tests.reports import demo_report

ROOT = Path(__file__).parents[2]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def plot() -> Canvas:
    figure = style.new_figure((3, 2))
    figure.subplots().plot([1, 2], [3, 4])
    return figure


def small(title: str = "Title", *, tables: bool = True) -> Report:
    frame = pd.DataFrame({"seat": [1, 2], "x|y": ["a|b", "*c*"], "rate": [1 / 3, math.nan]})
    blocks: list = [Figure("plot", plot, "A line.", title="It rises & <falls>")]
    if tables:
        blocks.append(Table("numbers", frame, "Some *numbers*", headline=True))
    return Report(
        title,
        "Why?",
        ["So, see {figure:plot}."],
        [],
        [Section("s", [*blocks, Text("t")])],
        [],
        [],
        Reproduce("assay run x.toml", 7),
    )


def facts(**changes) -> dict:
    row = {
        "metric": "win_rate",
        "seat": 1,
        "estimate": np.float64(0.5),
        "low": math.nan,
        "high": math.inf,
        "level": 0.95,
        "n": np.int64(3),
        "method": "Wilson",
    }
    base = {"game": "g", "players": 2, "seats": ["a", "b"], "games": 3, "seed": 7, "metrics": [row]}
    return {**base, **changes}


def test_what_lies_in_the_folder(demo):
    report = demo_report.report()
    names = set(snapshot(demo))
    assert names == {
        "report.pdf",
        "results.json",
        "summary.md",
        *(f"figures/{f.name}.{s}" for f in report.figures() for s in ("png", "svg")),
        *(f"tables/{t.name}.csv" for t in report.tables()),
    }
    document = json.loads((demo / "results.json").read_text("utf-8"))
    assert set(document["files"]) == names


def test_same_inputs_same_bytes_in_another_process(demo, tmp_path):
    other = tmp_path / "else where"
    other.mkdir()
    (tmp_path / "matplotlibrc").write_text("font.size: 20\nfont.family: serif\nsavefig.dpi: 50\n")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "12345",
        "TZ": "Pacific/Auckland",
        "LC_ALL": "C",
        "SOURCE_DATE_EPOCH": "1",
        "MATPLOTLIBRC": str(tmp_path / "matplotlibrc"),
    }
    subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.reports.demo_report", str(other / "out")],
        cwd=tmp_path,
        env=environment,
        check=True,
    )
    ours, theirs = snapshot(demo), snapshot(other / "out")
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if ours[name] != theirs[name]] == []


@pytest.mark.parametrize("name", ["demo", "hard"])
def test_results_keep_the_schema(name, request):
    schema = build.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    text = (request.getfixturevalue(name) / "results.json").read_text("utf-8")
    document = json.loads(text)
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document["schema_version"] == build.SCHEMA_VERSION
    assert json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n" == text


@pytest.mark.parametrize(
    "broken",
    [{"schema_version": 2}, {"games": "many"}, {"metrics": [{}]}, {"other": 1}, {"answer": []}],
)
def test_the_schema_refuses(demo, broken):
    document = json.loads((demo / "results.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(build.schema())
    assert not validator.is_valid({**document, **broken})


def test_results_without_timings_and_with_all_keys(tmp_path):
    with pytest.raises(ValueError, match="cannot be written") as caught:
        build.write(
            small(),
            tmp_path / "out",
            results={"game": "g", "seconds": 3.0, "title": "x", "metrics": [{"metric": "a"}]},
        )
    message = str(caught.value)
    assert "'seconds' is a timing" in message
    assert "'title' comes from the report" in message
    assert "'players' is missing" in message
    assert "metrics[0] lacks estimate" in message
    assert not (tmp_path / "out").exists()


def test_json_has_no_nan_and_no_numpy():
    value = {"b": np.array([1.0, np.nan]), "a": pd.DataFrame({"x": [np.int8(1)], "y": [pd.NA]})}
    assert json.loads(build.dump(value)) == {"a": [{"x": 1, "y": None}], "b": [1.0, None]}
    with pytest.raises(TypeError, match="no place in a JSON file"):
        build.dump({"x": object()})


def test_csv_has_a_fixed_format():
    frame = pd.DataFrame({"x": [1 / 3, np.nan], "s": ["a,b", "é"]})
    assert build.csv(frame) == 'x,s\n0.3333333333,"a,b"\n,é\n'


def test_pictures_have_300_dpi_and_their_title(demo):
    for path in (demo / "figures").glob("*.png"):
        with Image.open(path) as image:
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    figure = Figure("plot", plot, "A line.", title="It rises & <falls>")
    _, titled = build.draw(figure)
    inner, plain = build.draw(Figure("plot", plot, "A line."))
    with Image.open(io.BytesIO(plain["png"])) as a, Image.open(io.BytesIO(titled["png"])) as b:
        assert a.size == (900, 600)
        assert b.size[0] == 900
        assert b.size[1] > 650
        head = np.asarray(b)[: b.size[1] - 600]
        assert (head < 128).any(), "the title is drawn"
        np.testing.assert_array_equal(np.asarray(b)[-600:], np.asarray(a))
    assert b"It rises &amp; &lt;falls&gt;</text>" in titled["svg"]
    assert "It rises" not in inner
    assert plain["svg"].decode() == inner


def test_a_figure_object_is_left_as_it_was():
    made = plot()
    figure = Figure("plot", made, "A line.", title="Title")
    first = build.draw(figure)
    assert build.draw(figure) == first
    assert made.get_suptitle() == ""
    assert tuple(made.get_size_inches()) == (3, 2)
    assert made.dpi == 100


def test_draw_must_give_a_figure():
    with pytest.raises(TypeError, match="figure 'plot': draw gave int"):
        build.draw(Figure("plot", lambda: 3, "alt"))  # type: ignore[return-value]


def test_the_summary_escapes_and_links(demo):
    text = build.summary(small("A #title with *stars* and | bars"))
    assert text.startswith("# A #title with \\*stars\\* and \\| bars\n")
    assert "[It rises &amp; \\<falls\\>](figures/plot.png)" in text
    assert build.markdown("[30.9, 31.5] [a](b) ![c][d]") == "[30.9, 31.5] [a\\](b) ![c\\][d]"
    assert "| seat | x\\|y | rate |" in text
    assert "| 1 | a\\|b | 0.333 |" in text
    summary = (demo / "summary.md").read_text("utf-8")
    assert "27.1\u00a0% [26.9,\u00a027.3]" in summary
    for figure in demo_report.report().figures():
        assert (demo / "figures" / f"{figure.name}.png").is_file()
        assert f"figures/{figure.name}.png" in summary


def test_a_second_report_takes_the_place_of_the_first_and_no_more(tmp_path):
    out = tmp_path / "deep" / "out"
    build.write(small(), out, results=facts())
    (out / "notes.txt").write_text("mine")
    (out / "figures" / "mine.png").write_text("mine")
    before = snapshot(out)
    assert "tables/numbers.csv" in before
    paths = build.write(small("Other", tables=False), out, results=facts())
    after = snapshot(out)
    assert paths[0] == out / "report.pdf"
    assert after["notes.txt"] == after["figures/mine.png"] == b"mine"
    assert "tables/numbers.csv" not in after
    assert not (out / "tables").exists()
    assert after["report.pdf"] != before["report.pdf"]
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


def test_foreign_files_are_never_overwritten(tmp_path):
    (tmp_path / "results.json").write_text("{}")
    (tmp_path / "report.pdf").write_text("mine")
    before = snapshot(tmp_path)
    with pytest.raises(UserError, match=r"report\.pdf, results\.json"):
        build.write(small(), tmp_path, results=facts())
    assert snapshot(tmp_path) == before


def test_a_listed_path_never_leads_elsewhere(tmp_path):
    out = tmp_path / "out"
    build.write(small(), out, results=facts())
    (tmp_path / "precious.txt").write_text("mine")
    record = json.loads((out / "results.json").read_text("utf-8"))
    record["files"] += ["../precious.txt", "/etc/hostname", "figures/../../precious.txt"]
    (out / "results.json").write_text(json.dumps(record))
    build.write(small(), out, results=facts())
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_a_file_in_the_way_of_the_folder(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(UserError, match="is a file, not a folder"):
        build.write(small(), tmp_path / "out", results=facts())


CONTENTS = {name: b"new " + name.encode() for name in ("report.pdf", "figures/a.png", "summary.md")}


def earlier(folder: Path) -> dict[str, bytes]:
    old = {"report.pdf": b"old", "figures/b.png": b"old", "tables/c.csv": b"old"}
    listed = {"schema": build.SCHEMA_NAME, "files": [*old, "results.json"]}
    old["results.json"] = json.dumps(listed).encode()
    for name, data in old.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return old


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
@pytest.mark.parametrize("count", range(8))
def test_whatever_fails_the_earlier_report_stays(tmp_path, monkeypatch, count, error):
    old = earlier(tmp_path)
    real = Path.rename
    calls = []

    def rename(self, target):
        calls.append(target)
        if len(calls) == count + 1:
            raise error
        return real(self, target)

    contents = {**CONTENTS, "results.json": b"{}"}
    monkeypatch.setattr(Path, "rename", rename)
    expected = KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else UserError
    with pytest.raises(expected):
        build._replace(tmp_path, contents)
    monkeypatch.undo()
    assert snapshot(tmp_path) == old
    build._replace(tmp_path, contents)
    assert snapshot(tmp_path) == contents


def test_a_new_folder_is_removed_again_when_writing_fails(tmp_path, monkeypatch):
    def fail(path, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build, "_write_file", fail)
    with pytest.raises(UserError, match="No space left on device"):
        build._replace(tmp_path / "a" / "b", CONTENTS)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_earlier_report(tmp_path):
    resource = pytest.importorskip("resource", reason="file size limits are a Unix matter")
    assert resource
    old = earlier(tmp_path)
    code = """
import resource, sys
from pathlib import Path
from reports import build
from sim.errors import UserError
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    build._replace(Path(sys.argv[1]), {"summary.md": b"x", "report.pdf": b"x" * 5000})
except UserError as error:
    sys.exit("refused: " + str(error))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "refused: Cannot write to" in done.stderr
    assert "unchanged" in done.stderr
    assert snapshot(tmp_path) == old


def test_run_json_may_differ_and_nothing_else_does(tmp_path):
    path = build.write_run(tmp_path / "new", {"seconds": 1.5, "games_per_second": np.float64(2)})
    assert json.loads(path.read_text("utf-8")) == {"games_per_second": 2.0, "seconds": 1.5}
    build.write_run(tmp_path / "new", {"seconds": 2})
    assert snapshot(tmp_path / "new") == {"run.json": b'{\n  "seconds": 2\n}\n'}
    with pytest.raises(TypeError):
        build.write_run(tmp_path / "new", {"seconds": object()})
    assert list(snapshot(tmp_path / "new")) == ["run.json"]


def test_hard_words_reach_every_file(hard):
    document = json.loads((hard / "results.json").read_text("utf-8"))
    assert document["question"].startswith("Does #set $x$ *a _b_ @c")
    assert document["metrics"][0]["estimate"] is None
    assert (hard / "tables" / "words.csv").read_text("utf-8").count("中文") == 30
    assert "\\$x\\$ \\*a \\_b\\_ @c" in (hard / "summary.md").read_text("utf-8")
