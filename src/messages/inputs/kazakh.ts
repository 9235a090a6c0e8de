import { readable } from '../../lib/readable.ts';
import type { Translations } from '../base/define.ts';
import { grouped, quoted } from '../base/kazakh-wording.ts';
import type { english } from './english.ts';

const shown = (names: readonly string[]) =>
  names
    .slice(0, 10)
    .map((name) => quoted(readable(name, 60)))
    .join(', ');

export const kazakh = {
  made_input: {
    noAttribute: (name, names) =>
      `векторлық деректерде ${quoted(readable(name, 60))} атрибуты жоқ; ${names.length === 0 ? 'атрибуттар жоқ' : `бары: ${shown(names)}`}`,
    unmappedValues: (attribute, values, count) =>
      `кестеде ${quoted(readable(attribute, 60))} атрибутының мәндеріне жол жоқ (барлығы ${grouped(count)}): ${shown(values)}; ` +
      'оларды қосыңыз немесе `unmapped` = `no_data` деп көрсетіңіз',
    noPolygons: () => 'векторлық деректерде полигон жоқ, сондықтан атрибут бірде-бір пиксельді жаппайды',
    noFeatures: () => 'векторлық деректерде қашықтықты өлшейтін нысан жоқ',
    tooManyPositions: (most) =>
      `нысандардың төбелері ${grouped(most)} санынан көп; оларды жеңілдетіңіз немесе векторлық деректерді бөліңіз`,
    gridInDegrees: () =>
      'тор градуспен берілген, сондықтан ондағы қашықтық метрмен емес; `geodesic` қолданыңыз',
    noGrid: (isRotated) =>
      isRotated
        ? 'торды беретін растр бұрылған, сондықтан торды бере алмайды'
        : 'торды беретін растрда ұзындығы белгілі координаттар жүйесі жоқ, сондықтан торды бере алмайды',
    notOnEarth: (place) => `рецепттегі ${place}-растрдың нәтиже торына түрлендіруге болатын орны жоқ`,
    unreadableGrid: () => 'тор беретін растр оқылмайды',
    unreadable: (place) => `рецепттегі ${place}-растр оқылмайды`,
    tooManyPixels: (pixels, most) =>
      `нәтижеде ${grouped(pixels)} пиксель болар еді; ең көбі ${grouped(most)} болады`,
    empty: (hasFeatures) =>
      hasFeatures
        ? 'тордың бірде-бір пикселі мән алмас еді: нысандар торға жетпейді немесе мәндері жоқ'
        : 'тордың бірде-бір пикселі мән алмас еді: растрлардың онымен ортақ пикселі немесе мәні жоқ',
    noReference: () => 'торды беретін дайын биіктік растры әлі жоқ; оны жүктеңіз немесе басқа торды таңдаңыз',
    noClasses: () => 'слотта класс емес, сан бар',
    classesOnly: (rule) => `слотта кластар бар, ${quoted(rule)} класс емес мәндер берер еді`,
    noDays: (name) => `${quoted(name)} жиынында кезең жоқ, сондықтан күндер саны белгісіз`,
    tooManyWaiting: () => 'тым көп растр жасалуын күтуде; бірнеше секундтан кейін қайта сұраңыз',
    failed: () => 'растрды жасау мүмкін болмады; бір минуттан кейін қайта сұраңыз',
    gone: () => 'растр жасалғанша рецепттегі деректер жиыны жойылған',
  },
  made_input_field: {
    noSuchDataset: (type) => `түрі ${type} дайын деректер жиынының идентификаторы керек`,
    notAClass: (numbers) => `слоттың класы керек: ${numbers.join(', ')}`,
    twice: (value) => `${quoted(value)} мәні екі рет көрсетілген`,
    needsTable: 'кластары бар слотқа керек',
    notForClasses: 'кластары бар слотта мүмкін емес',
    daysOfExtreme: 'ең аз және ең көп мән үшін тек `equal` болады',
  },
  made_input_phrase: {
    rasterize: (slot, source) => `${slot}, ${quoted(source)} бойынша`,
    distance: (slot, source) => `${slot}, ${quoted(source)} бойынша`,
    mosaic: (slot, count) => `${slot}, ${count} растрдың мозаикасы`,
    arithmetic: (slot, count) => `${slot}, ${count} растрдан есептелген`,
  },
} satisfies Translations<typeof english>;
