import { quoted } from '../base/kazakh-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const other = (what: string, remedy: string) => () =>
  `Файл GeoJSON емес: ${what}. ${remedy}, нәтижені жүктеңіз.`;
const otherMember = (what: (member: string) => string, remedy: string) => (member: string) =>
  `Файл GeoJSON емес: ${what(quoted(member))}. ${remedy}, нәтижені жүктеңіз.`;
const collection = 'бір {"type": "FeatureCollection", "features": […]} объектісіне';
const exportLayer = 'Қабаттың өзін GeoJSON немесе GeoPackage пішіміне экспорттап';
const chooseLayer = 'GeoJSON немесе GeoPackage пішіміндегі қабаттың өз файлын таңдап';

export const kazakh = {
  content: {
    arrow: 'Arrow файлы',
    asciiGrid: 'ASCII Grid мәтіндік торы',
    blank: 'тек бос орындар',
    bmp: 'BMP суреті',
    bzip2: 'bzip2 мұрағаты',
    commentedJson: 'түсініктемеден кейінгі JSON',
    csv: 'мәтіндік кесте, мысалы CSV',
    dbf: 'dBASE кестесі (.dbf)',
    docx: 'Word құжаты',
    dwg: 'DWG сызбасы',
    dxf: 'DXF сызбасы',
    e00: 'ArcInfo алмасу файлы (.e00)',
    flatGeobuf: 'FlatGeobuf файлы',
    geodatabase: 'Esri геодеректер қоры бар zip мұрағаты',
    geopackage: 'GeoPackage файлы',
    gif: 'GIF суреті',
    gml: 'GML файлы',
    gpx: 'GPX трегі',
    grib: 'GRIB файлы',
    gzip: 'gzip мұрағаты',
    hdf4: 'HDF4 файлы',
    hdf5: 'HDF5 файлы (NetCDF 4 те сондай)',
    html: 'HTML беті',
    img: 'Erdas Imagine файлы (.img)',
    javaScript: 'JSON айналасындағы JavaScript',
    jpeg: 'JPEG суреті',
    jpeg2000: 'JPEG 2000 суреті',
    json: 'JSON файлы',
    jsonList: 'JSON тізімі',
    kml: 'KML файлы',
    kmz: 'KMZ мұрағаты',
    las: 'LAS нүктелер бұлты',
    lfsPointer: 'файлдың өзінің орнындағы Git LFS сілтемесі',
    mbTiles: 'MBTiles файлы',
    mif: 'MapInfo алмасу файлы (.mif)',
    netcdf: 'NetCDF файлы',
    ods: 'OpenDocument файлы',
    ole: 'ескі Office құжаты, мысалы .xls',
    osm: 'OpenStreetMap деректері',
    parquet: 'Parquet файлы',
    pdf: 'PDF құжаты',
    pmTiles: 'PMTiles файлы',
    png: 'PNG суреті',
    qgis: 'QGIS жобасы немесе стилі',
    rar: 'RAR мұрағаты',
    sequence: 'GeoJSON мәтіндік тізбегі',
    serviceError: 'карта сервисінің қате туралы жауабы',
    sevenZip: '7z мұрағаты',
    shp: 'шейп-файлдың .shp бөлігі',
    sld: 'SLD стилі',
    sqlite: 'SQLite дерекқоры',
    surfer: 'Surfer торы',
    tab: 'MapInfo кестесі (.tab)',
    tar: 'tar мұрағаты',
    text: 'жай мәтін',
    tiff: 'TIFF суреті',
    utf16: 'UTF-16 мәтіні',
    utf32: 'UTF-32 мәтіні',
    vrt: 'виртуалды растр (.vrt)',
    webp: 'WebP суреті',
    wkt: 'WKT түріндегі геометрия',
    xlsx: 'Excel кітабы',
    xml: 'XML файлы',
    xz: 'xz мұрағаты',
    zip: 'zip мұрағаты',
    zstd: 'Zstandard мұрағаты',
  },
  content_remedy: {
    exportAgain: 'деректерді файл атауында көрсетілген пішімде қайта экспорттаңыз',
    downloadAgain: 'оның мекенжайын браузерде ашып, файлдың өзін жүктеп алыңыз',
    fetchLfs: 'файлдың өзін «git lfs pull» пәрменімен алыңыз',
    pictureForVector:
      'суретте нысандар жоқ; бұл орны көрсетілген растр болса, оны GeoTIFF пішіміне түрлендіріп, file_type raster мәнімен жіберіңіз',
    rasterForVector: 'бұл растр: оны GeoTIFF пішіміне түрлендіріп, file_type raster мәнімен жіберіңіз',
    tiffForVector: 'бұл растр: файлға .tif кеңейтімін беріп, file_type raster мәнімен жіберіңіз',
    vectorForRaster:
      'бұл растр емес: файлды GeoJSON немесе GeoPackage пішіміне экспорттап, file_type vector мәнімен жіберіңіз',
    unpack: 'оны ашып, ішіндегі файлды жүктеңіз',
    renameZip: 'ішінде шейп-файл, .geojson немесе .gpkg болса, файлға .zip кеңейтімін беріңіз',
    renameGeoPackage: 'бұл GeoPackage болса, файлға .gpkg кеңейтімін беріңіз',
    sendAsStyle: 'оны деректер жиынының стилі ретінде жүктеңіз (POST /datasets/{id}/sld)',
    exportLayer: 'GeoJSON немесе GeoPackage пішіміне экспортталған қабаттың өзін жүктеңіз',
    saveUtf8: 'оны UTF-8 кодтамасында сақтаңыз',
    makeCollection:
      'нысандарды бір {"type": "FeatureCollection", "features": […]} объектісіне біріктіріп, жүктеңіз',
    bareJson: 'файлда { белгісінен } белгісіне дейінгі JSON-ды ғана қалдырып, жүктеңіз',
    convertPoints: 'нүктелерді GeoJSON немесе GeoPackage пішіміне түрлендіріп, жүктеңіз',
  },
  other_json: {
    cityJson: other(
      'бұл CityJSON, ғимараттар моделі',
      'Оны QGIS-те CityJSON Loader модулімен ашып, қабатты GeoPackage ретінде сақтап',
    ),
    coverageJson: other(
      'бұл CoverageJSON, тордың немесе станциялардың мәндері',
      'Торды GeoTIFF ретінде (файл түрі raster деректер жиыны) немесе станцияларды GeoJSON нүктелері ретінде сақтап',
    ),
    esriFeatures: other(
      'бұл Esri JSON, ArcGIS сервистері f=json сұрауына осылай жауап береді',
      'Сервистен f=geojson сұрап немесе файлды «ogr2ogr -f GeoJSON out.geojson in.json» пәрменімен түрлендіріп',
    ),
    esriService: other(
      'бұл ArcGIS сервисінің немесе қабатының сипаттамасы, онда нысандар жоқ',
      'Қабаттың мекенжайына /query?where=1=1&outFields=*&f=geojson қосып, жауабын сақтап',
    ),
    jsonLd: other('бұл JSON-LD, байланысқан деректер', 'Оның әр объектісінен GeoJSON нысанын жасап'),
    landingPage: other(
      'бұл веб-сервистің сипаттамасы, сілтемелер тізімі',
      'Қажетті жинақтың /items деп аяқталатын сілтемесін ашып, нысандарын GeoJSON ретінде сақтап',
    ),
    list: other('бұл JSON тізімі', `Нысандарын ${collection} біріктіріп`),
    mapStyle: other('бұл карта стилі, онда нысандар жоқ', exportLayer),
    model: other(
      'бұл үшөлшемді модель (glTF немесе 3D Tiles)',
      'Нысандарының контурларын GeoJSON немесе GeoPackage пішіміне экспорттап',
    ),
    overpass: other(
      'бұл Overpass жауабы, OpenStreetMap деректері',
      'Деректерді Overpass Turbo ішінде GeoJSON ретінде экспорттап немесе файлды osmtogeojson бағдарламасымен түрлендіріп',
    ),
    package: other('бұл бағдарламалық пакеттің сипаттамасы, онда нысандар жоқ', chooseLayer),
    records: otherMember(
      (member) => `бұл ${member} элементіндегі жазбалар тізімі, онда нысандар жоқ`,
      'Әр жазбадан GeoJSON нысанын жасап (жазба — "properties" ішінде, орны немесе null — "geometry" ішінде)',
    ),
    referenceSystem: other('бұл координаттар жүйесі (PROJJSON), онда нысандар жоқ', exportLayer),
    schema: other('бұл JSON схемасы немесе API сипаттамасы, онда нысандар жоқ', chooseLayer),
    sequence: other(
      'бұл JSON Lines, бірінен кейін бірі тұрған бірнеше JSON объектісі',
      `Оларды ${collection} біріктіріп (мысалы, «ogr2ogr -f GeoJSON out.geojson GeoJSONSeq:in.geojson» пәрменімен)`,
    ),
    serviceError: other(
      'бұл сервистің қате туралы жауабы',
      'Ол алынған мекенжайды браузерде ашып, сұрауды түзетіп, қабаттың өзін жүктеп алып',
    ),
    stac: other(
      'бұл STAC каталогы немесе жинағы, яғни деректердің сипаттамасы',
      'Ол сілтеме жасайтын деректерді GeoJSON, GeoPackage немесе GeoTIFF пішімінде жүктеп алып',
    ),
    tileJson: other('бұл TileJSON, карта тайлдарының сипаттамасы', exportLayer),
    topoJson: other(
      'бұл TopoJSON',
      'Оны «ogr2ogr -f GeoJSON out.geojson in.json» пәрменімен немесе mapshaper бағдарламасымен түрлендіріп',
    ),
    untypedFeatures: other(
      'онда "features" тізімі бар, бірақ "type" элементі жоқ',
      '"features" алдына "type": "FeatureCollection" элементін қойып',
    ),
    wrapped: otherMember(
      (member) => `GeoJSON оның ${member} элементінде тұр`,
      `Сол элементтің мазмұнын ғана файлға сақтап (нысандар тізімін ${collection} салып)`,
    ),
  },
} satisfies Translations<typeof english>;
