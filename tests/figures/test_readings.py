"""fig_readings: a column per specification, nearest first, with the marks of its choices."""

import pytest
from kit import drawing

from stages.figures import plot_readings
from stages.statistics.specifications import by_distance, specifications


@pytest.fixture(scope="module")
def drawn(with_readings):
    folder, config = with_readings
    settings = drawing.settings_of(config, "fig_readings")
    return drawing.draw(folder, config, "fig_readings"), by_distance(specifications(folder, settings))


def test_the_curve_rises_from_the_nearest_reading_to_the_farthest(drawn):
    figure, found = drawn
    heights = figure.axes[0].lines[0].get_ydata()
    assert list(heights) == [max(each.distance, plot_readings.LEAST) for each in found]
    assert list(heights) == sorted(heights)


def test_every_number_that_the_paper_prints_is_a_point_of_its_column(drawn):
    figure, found = drawn
    for line, name in zip(figure.axes[0].lines[1:5], plot_readings.POINTS, strict=True):
        wanted = {
            place: max(abs(each.distances[name]), plot_readings.LEAST)
            for place, each in enumerate(found, start=1)
            if name in each.distances
        }
        assert dict(zip(*line.get_data(), strict=True)) == pytest.approx(wanted)


def test_rings_are_the_networks_of_table_2(drawn):
    figure, found = drawn
    rings = figure.axes[0].lines[5].get_xdata()
    assert [found[place - 1].choices for place in rings] == [[]] * sum(not each.choices for each in found)


def test_the_marks_below_are_the_columns_network_choices_and_attack(drawn):
    figure, found = drawn
    grid = figure.axes[1]
    names = dict(zip(grid.get_yticks(), (label.get_text() for label in grid.get_yticklabels()), strict=True))
    columns = [line for line in grid.lines if line.get_marker() == "o"]
    assert len(columns) == len(found)
    for line, each in zip(columns, found, strict=True):
        marked = {names[height] for height in line.get_ydata()}
        assert set(each.choices) <= marked
        assert len(marked) == 3 + len(each.choices) + bool(each.outputs)
        assert ("tanh" in marked) == each.row.endswith("_tanh")
        assert ("cross-entropy" in marked) == ("_ce_" in each.row)
        assert not each.outputs or f"CW on {each.outputs}" in marked


def test_networks_that_the_paper_has_no_numbers_of_leave_no_curve(with_readings):
    """Readings of a network of one's own, say with another activation."""
    folder, config = with_readings
    printed = {row: {} for row in drawing.settings_of(config, "fig_readings")["printed"]}
    figure = drawing.draw(folder, config, "fig_readings", printed=printed)
    figure.draw_without_rendering()
    assert [text.get_text() for text in figure.axes[0].texts] == ["the paper prints no number of these networks"]


def test_without_readings_there_is_neither_figure_nor_table(whole_config):
    from stages.plan import exhibit

    assert not {"fig_readings", "table_readings"} & set(exhibit.present(whole_config, drawing.RECORDS))
