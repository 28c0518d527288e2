"""Tables in the report: how many runs they say they show, and the paper's numbers in a table of a user's own."""

from kit import drawing

from stages.plan import exhibit
from stages.plan.all_exhibits import TABLES
from stages.report import tables_section
from stages.report.tables_section import COMPARED, Cell
from stages.storage.csv_files import read_csv


def test_a_table_of_one_run_does_not_say_that_it_shows_all(with_readings, tmp_path):
    results, config = with_readings
    assert config["training"]["runs"] == 2
    for name in exhibit.present(config, TABLES):
        drawing.tabulate(results, config, name, [tmp_path / "tables" / f"{name}.csv"])
    legends = {table["name"]: table["legend"] for table in tables_section.gather(tmp_path, config)}
    assert legends["table_readings"].endswith(", run 0 of each network.")
    assert legends["table2_accuracy"].endswith(", 2 runs.")


def test_a_table_of_ones_own_shows_the_papers_numbers_that_its_record_names(results, config, tmp_path):
    path = tmp_path / "table2_accuracy.csv"
    config["models"]["table2"]["trainers"] = ["ncg"]
    drawing.tabulate(results, config, "table2_accuracy", [path])
    head, body, legend = tables_section.plain(read_csv(path))
    assert [cell.lines for cell in head] == [["trainer"], ["network"], ["test accuracy"]]
    assert body[0] == [
        Cell(["NCG"], "key"),
        Cell(["ReLU, CE"], "key"),
        Cell(["97.50 ± 0.01", "98.05 ± 0.10", "−0.55"]),
    ]
    assert Cell(["not run", "96.30 ± 0.37", "–"]) in [row[-1] for row in body]
    assert legend == COMPARED
