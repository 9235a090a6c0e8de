"""Patterns that make a wrong place visible, their colours, and the styles that say them."""

import numpy as np


def classes(width, height, kinds):
    """Patches of 6 by 5 pixels whose classes follow no order."""
    columns, rows = np.meshgrid(np.arange(width) // 6, np.arange(height) // 5)
    mixed = (columns.astype("uint64") * 73_856_093) ^ (rows.astype("uint64") * 19_349_663)
    return (((mixed * 2_654_435_761) >> np.uint64(13)) % np.uint64(kinds)).astype("uint8")


def floats(width, height):
    """Classes with a fraction below a half, so that each lies between two bounds."""
    fractions = (np.arange(width) % 5)[None, :] / 12 + np.zeros((height, 1))
    return (classes(width, height, 12) + fractions).astype("float32")


def colour(index):
    return [(index * 67 + 30) % 256, (index * 151 + 80) % 256, (index * 29 + 200) % 256]


def hexadecimal(rgb):
    return "#" + "".join(f"{part:02x}" for part in rgb)


def values_of(numbers):
    return {"kind": "values", "stops": [[number, *colour(i), 255] for i, number in enumerate(numbers)]}


def bounds(count):
    return [index + 0.7 for index in range(count)]


def intervals_of(count):
    return {"kind": "intervals", "stops": [[bound, *colour(i), 255] for i, bound in enumerate(bounds(count))]}


def ramp(low, high):
    ends = [[low, 10, 60, 200, 255], [(low + high) / 2, 240, 230, 20, 255], [high, 160, 10, 40, 255]]
    # A ramp may be drawn with as few as 254 colours.
    return {"kind": "ramp", "stops": ends, "tolerance": 2}


def value_sld(numbers, band=None):
    return sld("values", [(number, colour(i)) for i, number in enumerate(numbers)], band)


def interval_sld(count, band=None):
    return sld("intervals", [(bound, colour(i)) for i, bound in enumerate(bounds(count))], band)


def ramp_sld(low, high):
    return sld("ramp", [(value, rgb[:3]) for value, *rgb in ramp(low, high)["stops"]], None)


def stretched_rgb_sld(low, high):
    options = {"algorithm": "StretchToMinimumMaximum", "minValue": low, "maxValue": high}
    written = "".join(f'<VendorOption name="{name}">{value}</VendorOption>' for name, value in options.items())
    contrast = f"<ContrastEnhancement><Normalize>{written}</Normalize></ContrastEnhancement>"
    channels = "".join(
        f"<{name}Channel><SourceChannelName>{band}</SourceChannelName>{contrast}</{name}Channel>"
        for band, name in enumerate(["Red", "Green", "Blue"], 1)
    )
    return document(f"<ChannelSelection>{channels}</ChannelSelection>")


def sld(kind, stops, band):
    entries = "".join(
        f'<ColorMapEntry color="{hexadecimal(rgb)}" quantity="{value}" label="class {i}"/>'
        for i, (value, rgb) in enumerate(stops)
    )
    channel = f"<GrayChannel><SourceChannelName>{band}</SourceChannelName></GrayChannel>"
    selection = "" if band is None else f"<ChannelSelection>{channel}</ChannelSelection>"
    return document(f'{selection}<ColorMap type="{kind}">{entries}</ColorMap>')


def document(symbolizer):
    return (
        '<?xml version="1.0" encoding="UTF-8"?><StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">'
        "<NamedLayer><Name>classes</Name><UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer>"
        f"{symbolizer}"
        "</RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>"
    )


def palette(count):
    return {index: (*colour(index + 3), 255) for index in range(count)}
