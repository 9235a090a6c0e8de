import type { AllSentences } from '../areas.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';

export const polygons = {
  polygons: {
    tooMany: (zones, most, fitting) =>
      `растрда ${zones} тұтас контур бар, бұл ${withEnding(most, 'ablative')} көп: ` +
      (fitting === null
        ? 'тым көп контурдың қосылатын көршісі жоқ, сондықтан ең аз алаңның ешбір мәні оларды азайтпайды'
        : `min_area_ha=${fitting} көрсету жеткілікті`),
    farTooMany: (most) =>
      `растрда тұтас контурлар саны ${withEnding(most, 'ablative')} көп: бұл аймақтар картасы емес, шу`,
    tooRagged: (zones) =>
      `растрда ${zones} тұтас контур бар, олардың шекаралары тым ирек, сондықтан ұсақтарын көршілеріне қосу мүмкін емес: бұл аймақтар картасы емес, шу`,
    tooManyPositions: (positions, most) =>
      `контурлардың шекараларында ${positions} нүкте бар, бұл ${withEnding(most, 'ablative')} көп: min_area_ha үлкенірек болса, олар азаяды`,
    tooManyPixels: (pixels, most) =>
      `растрда ${pixels} пиксель бар, полигон жасауға болатын ең көп саны ${most}`,
    beyondEarth: () => 'контурлардың бірінің бұрышы растрдың координаттар жүйесінде Жерде жатқан жоқ',
    acrossAntimeridian: () =>
      'контурлардың бірі 180° меридианын кесіп өтеді, ол жерде бойлық пен ендіктегі полигонды бөлуге тура келер еді',
    notEnded: () =>
      'есептеу аяқталған жоқ; полигондарды оның нәтижелері пайда болғаннан кейін жасауға болады',
    noOutput: (node) => `есептеуде ${node} түйінінің нәтижесі жоқ`,
    gone: () => 'полигондар жасалатын растр жойылған',
    failed: () => 'полигондарды жасау мүмкін болмады; сұрауды бір минуттан кейін қайталаңыз',
    tooManyWaiting: () =>
      'жасалуын күтіп тұрған полигондар тым көп; сұрауды бірнеше секундтан кейін қайталаңыз',
  },
  polygon_name: {
    dataset: (title) => `Полигон түріндегі аймақтар: ${title}`,
  },
} satisfies Partial<AllSentences>;
