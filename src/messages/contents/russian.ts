import { quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const other = (what: string, remedy: string) => () =>
  `Файл не является GeoJSON: ${what}. ${remedy} и загрузите результат.`;
const otherMember = (what: (member: string) => string, remedy: string) => (member: string) =>
  `Файл не является GeoJSON: ${what(quoted(member))}. ${remedy} и загрузите результат.`;
const collection = 'один объект {"type": "FeatureCollection", "features": […]}';
const exportLayer = 'Экспортируйте сам слой в GeoJSON или GeoPackage';
const chooseLayer = 'Выберите файл с самим слоем в GeoJSON или GeoPackage';

export const russian = {
  content: {
    arrow: 'файл Arrow',
    asciiGrid: 'текстовая сетка ASCII Grid',
    blank: 'одни пробелы',
    bmp: 'изображение BMP',
    bzip2: 'архив bzip2',
    commentedJson: 'JSON после комментария',
    csv: 'текстовая таблица, например CSV',
    dbf: 'таблица dBASE (.dbf)',
    docx: 'документ Word',
    dwg: 'чертёж DWG',
    dxf: 'чертёж DXF',
    e00: 'обменный файл ArcInfo (.e00)',
    flatGeobuf: 'файл FlatGeobuf',
    geodatabase: 'архив zip с базой геоданных Esri',
    geopackage: 'файл GeoPackage',
    gif: 'изображение GIF',
    gml: 'файл GML',
    gpx: 'трек GPX',
    grib: 'файл GRIB',
    gzip: 'архив gzip',
    hdf4: 'файл HDF4',
    hdf5: 'файл HDF5 (им является и NetCDF 4)',
    html: 'страница HTML',
    img: 'файл Erdas Imagine (.img)',
    javaScript: 'JavaScript вокруг JSON',
    jpeg: 'изображение JPEG',
    jpeg2000: 'изображение JPEG 2000',
    json: 'файл JSON',
    jsonList: 'список JSON',
    kml: 'файл KML',
    kmz: 'архив KMZ',
    las: 'облако точек LAS',
    lfsPointer: 'указатель Git LFS вместо самого файла',
    mbTiles: 'файл MBTiles',
    mif: 'обменный файл MapInfo (.mif)',
    netcdf: 'файл NetCDF',
    ods: 'файл OpenDocument',
    ole: 'документ старого Office, например .xls',
    osm: 'данные OpenStreetMap',
    parquet: 'файл Parquet',
    pdf: 'документ PDF',
    pmTiles: 'файл PMTiles',
    png: 'изображение PNG',
    qgis: 'проект или стиль QGIS',
    rar: 'архив RAR',
    sequence: 'текстовая последовательность GeoJSON',
    serviceError: 'ответ картографического сервиса об ошибке',
    sevenZip: 'архив 7z',
    shp: 'часть .shp шейп-файла',
    sld: 'стиль SLD',
    sqlite: 'база данных SQLite',
    surfer: 'сетка Surfer',
    tab: 'таблица MapInfo (.tab)',
    tar: 'архив tar',
    text: 'обычный текст',
    tiff: 'изображение TIFF',
    utf16: 'текст в UTF-16',
    utf32: 'текст в UTF-32',
    vrt: 'виртуальный растр (.vrt)',
    webp: 'изображение WebP',
    wkt: 'геометрия в WKT',
    xlsx: 'книга Excel',
    xml: 'файл XML',
    xz: 'архив xz',
    zip: 'архив zip',
    zstd: 'архив Zstandard',
  },
  content_remedy: {
    exportAgain: 'экспортируйте данные заново в формате, который указан в имени файла',
    downloadAgain: 'откройте его адрес в браузере и скачайте сам файл',
    fetchLfs: 'получите сам файл командой «git lfs pull»',
    pictureForVector:
      'в изображении нет объектов; если это растр с привязкой, преобразуйте его в GeoTIFF и отправьте с file_type raster',
    rasterForVector: 'это растр: преобразуйте его в GeoTIFF и отправьте с file_type raster',
    tiffForVector: 'это растр: дайте файлу расширение .tif и отправьте его с file_type raster',
    vectorForRaster:
      'это не растр: экспортируйте файл в GeoJSON или GeoPackage и отправьте с file_type vector',
    unpack: 'распакуйте его и загрузите файл из него',
    renameZip: 'если в нём шейп-файл, .geojson или .gpkg, дайте файлу расширение .zip',
    renameGeoPackage: 'если это GeoPackage, дайте файлу расширение .gpkg',
    sendAsStyle: 'загрузите его как стиль набора данных (POST /datasets/{id}/sld)',
    exportLayer: 'загрузите сам слой, экспортированный в GeoJSON или GeoPackage',
    saveUtf8: 'сохраните его в UTF-8',
    makeCollection:
      'объедините объекты в один {"type": "FeatureCollection", "features": […]} и загрузите его',
    bareJson: 'оставьте в файле только JSON, от { до }, и загрузите его',
    convertPoints: 'преобразуйте точки в GeoJSON или GeoPackage и загрузите этот файл',
  },
  other_json: {
    cityJson: other(
      'это CityJSON, модель зданий',
      'Откройте его в QGIS с модулем CityJSON Loader, сохраните слой как GeoPackage',
    ),
    coverageJson: other(
      'это CoverageJSON, значения сетки или станций',
      'Сохраните сетку как GeoTIFF (набор данных с типом файла raster) или станции как точки GeoJSON',
    ),
    esriFeatures: other(
      'это Esri JSON, в котором сервисы ArcGIS отвечают на f=json',
      'Запросите у сервиса f=geojson или преобразуйте файл командой «ogr2ogr -f GeoJSON out.geojson in.json»',
    ),
    esriService: other(
      'это описание сервиса или слоя ArcGIS, объектов в нём нет',
      'Добавьте к адресу слоя /query?where=1=1&outFields=*&f=geojson, сохраните ответ',
    ),
    jsonLd: other('это JSON-LD, связанные данные', 'Сделайте из каждого его объекта объект GeoJSON'),
    landingPage: other(
      'это описание веб-сервиса, список ссылок',
      'Откройте ссылку нужной коллекции, которая оканчивается на /items, сохраните объекты как GeoJSON',
    ),
    list: other('это список JSON', `Объедините его объекты в ${collection}`),
    mapStyle: other('это стиль карты, объектов в нём нет', exportLayer),
    model: other(
      'это трёхмерная модель (glTF или 3D Tiles)',
      'Экспортируйте контуры её объектов в GeoJSON или GeoPackage',
    ),
    overpass: other(
      'это ответ Overpass, данные OpenStreetMap',
      'Экспортируйте данные как GeoJSON в Overpass Turbo или преобразуйте файл программой osmtogeojson',
    ),
    package: other('это описание программного пакета, объектов в нём нет', chooseLayer),
    records: otherMember(
      (member) => `это список записей в элементе ${member}, без объектов GeoJSON`,
      'Сделайте из каждой записи объект GeoJSON: запись — в "properties", место (или null) — в "geometry"',
    ),
    referenceSystem: other('это система координат (PROJJSON), объектов в нём нет', exportLayer),
    schema: other('это схема JSON или описание API, объектов в нём нет', chooseLayer),
    sequence: other(
      'это JSON Lines, несколько объектов JSON один за другим',
      `Объедините их в ${collection}, например командой «ogr2ogr -f GeoJSON out.geojson GeoJSONSeq:in.geojson»,`,
    ),
    serviceError: other(
      'это ответ сервиса об ошибке',
      'Откройте в браузере адрес, с которого он получен, исправьте запрос, скачайте сам слой',
    ),
    stac: other(
      'это каталог или коллекция STAC, то есть описание данных',
      'Скачайте данные, на которые он ссылается, в GeoJSON, GeoPackage или GeoTIFF',
    ),
    tileJson: other('это TileJSON, описание тайлов карты', exportLayer),
    topoJson: other(
      'это TopoJSON',
      'Преобразуйте его командой «ogr2ogr -f GeoJSON out.geojson in.json» или программой mapshaper',
    ),
    untypedFeatures: other(
      'в нём есть список "features", но нет элемента "type"',
      'Поставьте перед "features" элемент "type": "FeatureCollection"',
    ),
    wrapped: otherMember(
      (member) => `GeoJSON находится в его элементе ${member}`,
      `Сохраните в файл только содержимое этого элемента (список объектов заключите в ${collection})`,
    ),
  },
} satisfies Translations<typeof english>;
