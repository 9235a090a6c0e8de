"""Makes small rasters of every kind that the service draws, and says in cases.json how each is to be coloured.

Usage: rasters.py FOLDER [NAME...]
"""

import json
import sys
from pathlib import Path

import numpy as np
from affine import Affine
from patterns import (
    classes,
    floats,
    interval_sld,
    intervals_of,
    palette,
    ramp,
    ramp_sld,
    stretched_rgb_sld,
    value_sld,
    values_of,
)
from writing import Writer

UTM = "EPSG:32642"
ALBERS = "+proj=aea +lat_0=48 +lon_0=67 +lat_1=43 +lat_2=53 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs"
W, H = (700, 540) if len(sys.argv) > 2 else (1300, 1000)
"""Those that are named are a sample, which is smaller, with fewer overviews."""
UTM_GRID = Affine(30, 0, 455_000, 0, -30, 5_300_000)
DEGREES = Affine(0.0005, 0, 70, 0, -0.0004, 50)


def small_deflate(**more):
    return {"TILED": "YES", "COMPRESS": "DEFLATE", **more}


def placed(writer):
    """Classes of one byte in every kind of place."""
    places = {
        "geographic": ("EPSG:4326", DEGREES),
        "UTM": (UTM, UTM_GRID),
        "Pulkovo 1942, zone 13": ("EPSG:28413", Affine(50, 0, 13_440_000, 0, -50, 5_400_000)),
        "Pulkovo 1942, geographic": ("EPSG:4284", Affine(0.001, 0, 66, 0, -0.001, 49)),
        "Web Mercator": ("EPSG:3857", Affine(38.2, 0, 7_800_000, 0, -38.2, 6_200_000)),
        "polar stereographic": ("EPSG:3413", Affine(500, 0, 600_000, 0, -500, 1_400_000)),
        "polar stereographic with its pole": ("EPSG:3413", Affine(2500, 0, -1_600_000, 0, -2500, 1_300_000)),
        "LAEA": ("EPSG:3035", Affine(100, 0, 4_300_000, 0, -100, 3_000_000)),
        "Albers": (ALBERS, Affine(900, 0, -600_000, 0, -900, 450_000)),
        "degrees beyond 180": ("EPSG:4326", Affine(0.01, 0, 173, 0, -0.01, 68)),
        "degrees before -180": ("EPSG:4326", Affine(0.01, 0, -187, 0, -0.01, 68)),
        "UTM over 180": ("EPSG:32660", Affine(200, 0, 600_000, 0, -200, 7_300_000)),
        "the whole earth": ("EPSG:4326", Affine(0.3, 0, -180, 0, -0.18, 90)),
        "rotated": (UTM, Affine.translation(455_000, 5_300_000) * Affine.rotation(23) * Affine.scale(30, -30)),
        "south-up": (UTM, Affine(30, 0, 455_000, 0, 30, 5_270_000)),
        "turned by 90 degrees": (UTM, Affine(0, 30, 455_000, 30, 0, 5_270_000)),
    }
    for name, (crs, affine) in places.items():
        if name == "the whole earth":
            affine = Affine(360 / W, 0, -180, 0, -180 / H, 90)
        data = classes(W, H, 12)
        writer.plain(name, data, crs, affine, paint=values_of(range(12)), sld=value_sld(range(12)))


def typed(writer):
    """Every type of samples, at one place."""
    wholes = {
        "int8": np.linspace(-120, 120, 12).astype("int8"),
        "int16": np.linspace(-30_000, 30_000, 12).astype("int16"),
        "uint16": np.linspace(5, 65_000, 12).astype("uint16"),
        "int32": np.linspace(-2_000_000_000, 2_000_000_000, 12).astype("int32"),
        "uint32": np.linspace(7, 4_200_000_000, 12).astype("uint32"),
    }
    for name, numbers in wholes.items():
        kinds = [int(number) for number in numbers]
        data = numbers[classes(W, H, 12)]
        writer.plain(name, data, UTM, UTM_GRID, paint=values_of(kinds), sld=value_sld(kinds))
    for bits in (1, 2, 4):
        data = classes(W, H, 2**bits)
        kinds = range(2**bits)
        options = small_deflate(NBITS=bits)
        of_bits = {"paint": values_of(kinds), "sld": value_sld(kinds)}
        writer.plain(f"{bits} bits", data, UTM, UTM_GRID, options=options, **of_bits)
    for dtype in ("float32", "float64"):
        for predictor in (1, 3):
            writer.plain(
                f"{dtype}, predictor {predictor}",
                floats(W, H).astype(dtype),
                UTM,
                UTM_GRID,
                options=small_deflate(PREDICTOR=predictor),
                paint=intervals_of(12),
                sld=interval_sld(12),
            )
    writer.plain("a ramp", floats(W, H), UTM, UTM_GRID, paint=ramp(0, 12), sld=ramp_sld(0, 12))


def with_holes(writer):
    """Pixels that are not there, said in every way."""
    data = classes(W, H, 12)
    columns, rows = np.meshgrid(np.arange(W), np.arange(H))
    hole = ((columns // 40 + rows // 30) % 5 == 0) | (np.hypot(columns - 700, rows - 400) < 120)
    paint, sld = values_of(range(12)), value_sld(range(12))
    writer.plain("mask", data, UTM, UTM_GRID, mask=~hole, paint=paint, sld=sld)
    alpha = np.where(hole, 0, 255).astype("uint8")
    writer.plain("alpha beside grey", np.stack([data, alpha]), UTM, UTM_GRID, alpha=True, paint=paint, sld=sld)
    holed = np.where(hole, 255, data).astype("uint8")
    writer.plain("no data, a value", holed, UTM, UTM_GRID, nodata=255, paint=paint, sld=sld)
    measured = np.where(hole, np.nan, floats(W, H)).astype("float32")
    of_floats = {"paint": intervals_of(12), "sld": interval_sld(12)}
    writer.plain("no data, NaN", measured, UTM, UTM_GRID, nodata=np.nan, **of_floats)
    far = np.where(hole, np.float32(-3.4e38), floats(W, H)).astype("float32")
    writer.plain("no data, -3.4e38", far, UTM, UTM_GRID, nodata=float(np.float32(-3.4e38)), **of_floats)
    writer.cog("a COG with a mask", data, UTM, UTM_GRID, mask=~hole, paint=paint, sld=sld, COMPRESS="DEFLATE")


def passed_through(writer):
    """COGs that are kept as they come, one for each way in which blocks may lie."""
    data = classes(W, H, 12)
    at = (UTM, UTM_GRID)
    of_classes = {"paint": values_of(range(12)), "sld": value_sld(range(12))}
    of_floats = {"paint": intervals_of(12), "sld": interval_sld(12)}
    writer.cog("ZSTD", data, *at, COMPRESS="ZSTD", **of_classes)
    wide = (classes(W, H, 12).astype("uint16") * 5003).astype("uint16")
    kinds = [number * 5003 for number in range(12)]
    of_wide = {"paint": values_of(kinds), "sld": value_sld(kinds)}
    writer.cog("LZW, predictor 2", wide, *at, COMPRESS="LZW", PREDICTOR="YES", **of_wide)
    writer.cog("LZW of bytes", data, *at, COMPRESS="LZW", **of_classes)
    writer.cog("tiles of 128", data, *at, COMPRESS="DEFLATE", BLOCKSIZE=128, **of_classes)
    writer.cog("tiles of 256", data, *at, COMPRESS="DEFLATE", BLOCKSIZE=256, **of_classes)
    writer.cog("not compressed", data, *at, COMPRESS="NONE", **of_classes)
    writer.cog("BigTIFF", data, *at, COMPRESS="DEFLATE", BIGTIFF="YES", **of_classes)
    writer.cog("float32 in ZSTD, predictor 3", floats(W, H), *at, COMPRESS="ZSTD", PREDICTOR="YES", **of_floats)
    writer.cog("float64 in LZW, predictor 3", floats(W, H).astype("f8"), *at, COMPRESS="LZW", PREDICTOR="YES", **of_floats)
    writer.cog("LERC", floats(W, H), *at, COMPRESS="LERC", MAX_Z_ERROR=0, **of_floats)
    writer.cog("LERC in ZSTD", data, *at, COMPRESS="LERC_ZSTD", MAX_Z_ERROR=0, **of_classes)
    writer.laid_out("PackBits", data, *at, COMPRESS="PACKBITS", **of_classes)
    writer.laid_out("big-endian", wide, *at, COMPRESS="DEFLATE", ENDIANNESS="BIG", **of_wide)
    writer.laid_out("big-endian, predictor 2", wide, *at, COMPRESS="DEFLATE", PREDICTOR=2, ENDIANNESS="BIG", **of_wide)
    big_floats = {"COMPRESS": "DEFLATE", "PREDICTOR": 3, "ENDIANNESS": "BIG"}
    writer.laid_out("big-endian floats, predictor 3", floats(W, H), *at, **big_floats, **of_floats)
    planes = np.stack([data, 11 - data, np.roll(data, 9, axis=1)])
    second = {"paint": {**values_of(range(12)), "band": 2}, "sld": value_sld(range(12), band=2)}
    writer.laid_out("bands apart", planes, *at, COMPRESS="DEFLATE", INTERLEAVE="BAND", **second)


def coloured(writer):
    """Colours of the file itself."""
    kinds = classes(W, H, 12)
    own = {"colours": palette(12), "paint": {"kind": "palette"}}
    writer.plain("palette", kinds, UTM, UTM_GRID, **own)
    writer.plain("palette with no data", kinds, UTM, UTM_GRID, nodata=3, **own)
    writer.cog("palette in a COG", kinds, UTM, UTM_GRID, COMPRESS="DEFLATE", OVERVIEW_RESAMPLING="NEAREST", **own)
    rgb = np.stack([classes(W, H, 12) * 20, classes(W, H, 7) * 30, classes(W, H, 5) * 50]).astype("uint8")
    writer.plain("RGB", rgb, UTM, UTM_GRID, paint={"kind": "rgb"})
    black = np.where(classes(W, H, 9) == 0, 0, np.maximum(rgb, 1)).astype("uint8")
    writer.plain("RGB with no data", black, UTM, UTM_GRID, nodata=0, paint={"kind": "rgb"})
    alpha = (classes(W, H, 4) * 85).astype("uint8")
    writer.plain("RGBA", np.stack([*rgb, alpha]), UTM, UTM_GRID, alpha=True, paint={"kind": "rgb"})
    # Without a style the percentiles of each band would become its darkest and its brightest.
    whole = {"paint": {"kind": "rgb"}, "sld": stretched_rgb_sld(0, 65_535)}
    writer.plain("RGB of 16 bits", rgb.astype("uint16") * 257, UTM, UTM_GRID, **whole)
    writer.cog("JPEG", smooth_rgb(), UTM, UTM_GRID, paint={"kind": "rgb"}, lossy=6, COMPRESS="JPEG")
    writer.cog("WebP without loss", rgb, UTM, UTM_GRID, paint={"kind": "rgb"}, COMPRESS="WEBP", QUALITY=100)
    bands = np.stack([floats(W, H), floats(W, H)[::-1], floats(W, H)[:, ::-1]])
    third = {"paint": {**intervals_of(12), "band": 3}, "sld": interval_sld(12, band=3)}
    writer.plain("many bands and a grey channel", bands, UTM, UTM_GRID, **third)


def sized(writer):
    """Sizes at the ends of what is allowed."""
    paint, sld = values_of(range(12)), value_sld(range(12))
    writer.plain("no overviews", classes(300, 200, 12), UTM, UTM_GRID, paint=paint, sld=sld)
    one = np.full((1, 1), 7, "uint8")
    writer.plain("one pixel", one, "EPSG:4326", Affine(0.5, 0, 70, 0, -0.5, 50), paint=paint, sld=sld)
    wide = classes(100_000, 20, 12)
    writer.plain("100,000 wide", wide, "EPSG:4326", Affine(0.0008, 0, 30, 0, -0.0008, 50), paint=paint, sld=sld)
    tall = classes(20, 30_000, 12)
    writer.plain("30,000 tall", tall, UTM, Affine(30, 0, 455_000, 0, -30, 5_900_000), paint=paint, sld=sld)


def smooth_rgb():
    columns, rows = np.meshgrid(np.arange(W), np.arange(H))
    waves = [np.sin(columns / 70), np.cos(rows / 50), np.sin((columns + rows) / 90)]
    return np.stack([(wave * 100 + 128) for wave in waves]).astype("uint8")


def main(folder, *names):
    writer = Writer(Path(folder), names)
    for draw in (placed, typed, with_holes, passed_through, coloured, sized):
        draw(writer)
    (Path(folder) / "cases.json").write_text(json.dumps(writer.cases))


if __name__ == "__main__":
    main(*sys.argv[1:])
