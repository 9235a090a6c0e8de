import type { Sentences } from '../areas.ts';
import { quoted } from './wording.ts';

const other = (what: string, remedy: string) => () =>
  `Файл не является GeoJSON: ${what}. ${remedy} и загрузите результат.`;
const otherMember = (what: (member: string) => string, remedy: string) => (member: string) =>
  `Файл не является GeoJSON: ${what(quoted(member))}. ${remedy} и загрузите результат.`;
const collection = 'один объект {"type": "FeatureCollection", "features": […]}';
const exportLayer = 'Экспортируйте сам слой в GeoJSON или GeoPackage';
const chooseLayer = 'Выберите файл с самим слоем в GeoJSON или GeoPackage';

export const otherJson: Sentences<'other_json'> = {
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
};
