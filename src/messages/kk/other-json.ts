import type { Sentences } from '../areas.ts';
import { quoted } from './wording.ts';

const other = (what: string, remedy: string) => () =>
  `Файл GeoJSON емес: ${what}. ${remedy}, нәтижені жүктеңіз.`;
const otherMember = (what: (member: string) => string, remedy: string) => (member: string) =>
  `Файл GeoJSON емес: ${what(quoted(member))}. ${remedy}, нәтижені жүктеңіз.`;
const collection = 'бір {"type": "FeatureCollection", "features": […]} объектісіне';
const exportLayer = 'Қабаттың өзін GeoJSON немесе GeoPackage пішіміне экспорттап';
const chooseLayer = 'GeoJSON немесе GeoPackage пішіміндегі қабаттың өз файлын таңдап';

export const otherJson: Sentences<'other_json'> = {
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
};
