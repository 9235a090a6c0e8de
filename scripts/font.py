"""Makes the font of drawn maps: Golos Text in two weights, with the signs that it lacks made of its own.

`npm run font` starts it. src/maps/thread/canvas/ reads what it writes.
"""

from io import BytesIO
from pathlib import Path
from shutil import copyfile

from fontTools.merge import Merger
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

root = Path(__file__).parent.parent
package = root / "node_modules/@fontsource-variable/golos-text"
target = root / "src/maps/thread/canvas"

RAISED, LOWERED = (0.62, 330), (0.62, -130)
# Each of parts: the sign, its size, how far up and to the right it stands in thousandths of the font size.
made = {
    "\u2264": [("<", 1, 70, 0), ("\u2212", 1, -250, 0)],
    "\u2265": [(">", 1, 70, 0), ("\u2212", 1, -250, 0)],
    "\u2248": [("~", 1, 100, 0), ("~", 1, -100, 0)],
    "\u2260": [("=", 1, 0, 0), ("/", 0.7, 105, 135)],
    "\u2030": [("%", 1, 0, 0), ("o", 0.62, 0, 800)],
    "\u207a": [("+", *RAISED, 0)],
    "\u207b": [("\u2212", *RAISED, 0)],
    **{chr(0x2070 + digit): [(str(digit), *RAISED, 0)] for digit in (0, 4, 5, 6, 7, 8, 9)},
    **{chr(0x2080 + digit): [(str(digit), *LOWERED, 0)] for digit in range(10)},
}
BOX = "\ufffd"
NARROW_SPACE = "\u202f"


def add(font, character, glyph, width):
    name = f"uni{ord(character):04X}"
    font["glyf"][name] = glyph
    font.setGlyphOrder(font["glyf"].glyphOrder)
    font["hmtx"][name] = (width, 0)
    for table in font["cmap"].tables:
        table.cmap[ord(character)] = name


def compose(font, parts):
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    pen = TTGlyphPen(glyphs)
    for sign, size, up, right in parts:
        pen.addComponent(names[ord(sign)], (size, 0, 0, size, right, up))
    return pen.glyph(), max(right + round(glyphs[names[ord(sign)]].width * size) for sign, size, _, right in parts)


def box():
    pen = TTGlyphPen(None)
    for left, bottom, right, top in ((60, 0, 540, 700), (510, 30, 90, 670)):
        corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


def face(name, weight):
    parts = []
    for subset in ("latin", "latin-ext", "cyrillic", "cyrillic-ext"):
        font = TTFont(package / f"files/golos-text-{subset}-wght-normal.woff2")
        instantiateVariableFont(font, {"wght": weight}, inplace=True)
        for table in ("vhea", "vmtx", "VVAR", "STAT"):
            if table in font:
                del font[table]
        parts.append(BytesIO())
        font.flavor = None
        font.save(parts[-1])
        parts[-1].seek(0)
    font = Merger().merge(parts)
    font["OS/2"].usWeightClass = name
    for character, signs in made.items():
        if ord(character) not in font.getBestCmap():
            add(font, character, *compose(font, signs))
    add(font, BOX, box(), 600)
    space = font["hmtx"][font.getBestCmap()[ord(" ")]][0]
    add(font, NARROW_SPACE, TTGlyphPen(None).glyph(), round(space * 0.6))
    options = Options(layout_features=["kern", "mark", "mkmk", "ccmp"], hinting=False, notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=list(font.getBestCmap()))
    subsetter.subset(font)
    font.flavor = "woff2"
    # The same sources make the same bytes.
    font.recalcTimestamp = False
    font["head"].created = font["head"].modified = 3_700_000_000
    return font


def ranges(codes):
    """The codes as a class of a regular expression."""
    runs = []
    for code in sorted(codes):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in runs)


# Skia draws dark letters on white a little lighter than a browser does.
faces = {name: face(name, weight) for name, weight in ((400, 450), (600, 640))}
for name, font in faces.items():
    font.save(target / f"golos-text-{name}.woff2")
codes = [code for code in faces[400].getBestCmap() if code >= 0x20 and code != 0xFEFF]
(target / "golos-text.characters").write_text(ranges(codes) + "\n")
copyfile(package / "LICENSE", target / "golos-text.LICENSE")
print(f"{len(codes)} characters")
