"""Areas of use of reference systems, from PROJ's database."""

AREA = """select e.west_lon, e.south_lat, e.east_lon, e.north_lat from usage u
  join extent e on (e.auth_name, e.code) = (u.extent_auth_name, u.extent_code)
  where u.object_auth_name = ? and u.object_code = ? and u.object_table_name in ('projected_crs', 'geodetic_crs')"""


def centre(area):
    west, south, east, north = area
    if east < west:
        east += 360
    longitude = (west + east) / 2
    return (longitude if longitude <= 180 else longitude - 360), (south + north) / 2
