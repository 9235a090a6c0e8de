import { readable } from '../../lib/readable.ts';
import type { Sentences } from '../areas.ts';
import { grouped } from './wording.ts';

const shown = (text: string): string => readable(text, 100);
const asUtf8 = 'оны UTF-8 кодтамасында сақтаңыз';
const qgis = 'QGIS ішінде қабаттың қасиеттерін ашып, Style, Save Style, As SLD Style File таңдаңыз';
const errorReport =
  'онда қызметтің стильді неге жібермегені айтылған; себебін жойып, стильді қайта сұратыңыз';
const fragment = 'оны өзі арналған нұсқадағы StyledLayerDescriptor ішіне салыңыз';
const otherFiles: readonly (readonly [root: RegExp, what: string, advice: string])[] = [
  [
    /^html$/,
    'HTML беті',
    'веб-сервердің жауабын көру үшін оның мекенжайын браузерде ашып, стильді қайта жүктеп алыңыз',
  ],
  [/^qgis$/, 'QGIS пішіміндегі стиль немесе жоба', qgis],
  [/^(?:qlr|qgis-layer-definition)$/, 'QGIS қабатының анықтамасы', qgis],
  [/^(?:service)?exceptionreport$/, 'қате туралы хабарлама', errorReport],
  [/^(?:featuretypestyle|coveragestyle|userstyle|namedlayer|userlayer)$/, 'SLD бөлігі ғана', fragment],
];

function otherFile(root: string): string | undefined {
  const localName = root.slice(root.indexOf(':') + 1).toLowerCase();
  const [, what, hint] = otherFiles.find(([roots]) => roots.test(localName)) ?? [];
  return what === undefined
    ? undefined
    : `бұл — ${what} (түбірлік элементі ${shown(root)}), SLD емес: ${hint}`;
}

export const styles: Sentences<'sld'> = {
  sld: {
    none: () => 'SLD жүктелмеген',
    missing: () => 'міндетті өріс',
    wrongExtension: (allowed) => `мына кеңейтімдердің бірі болуы тиіс: ${allowed.join(', ')}`,
    empty: () => 'бос',
    tooLarge: (mebibytes) => `${mebibytes} МиБ-тан аспауы тиіс`,
    blank: () => 'бос орын таңбаларынан ғана тұрады',
    zip: () => 'бұл — ZIP мұрағаты; оны ашып, ішіндегі .sld файлын жүктеңіз',
    json: () => 'JSON сияқты басталады, ал SLD — XML; стильді SLD ретінде экспорттаңыз',
    notXml: (start) => `XML емес: < таңбасының орнына «${shown(start)}» тұр`,
    unsupportedEncoding: (name) => `қолдау көрсетілмейтін ${name} кодтамасында; ${asUtf8}`,
    unknownEncoding: (label) => `белгісіз ${shown(label)} кодтамасын көрсетеді; ${asUtf8}`,
    falseEncoding: (label) =>
      `${shown(label)} кодтамасын көрсетеді, бірақ онда жазылмаған; ${asUtf8} және мұны бірінші жолында көрсетіңіз`,
    wrongBytes: (encoding) =>
      `${encoding} кодтамасындағы жарамды мәтін емес; ${asUtf8} немесе кодтамасын бірінші жолында көрсетіңіз, мысалы <?xml version="1.0" encoding="windows-1251"?>`,
    longDeclaration: () =>
      'XML жариялауы тым ұзын; оны <?xml version="1.0" encoding="UTF-8"?> деп қысқартыңыз',
    doctype: (root) =>
      otherFile(root.toLowerCase()) ??
      `DOCTYPE болмауы тиіс (мұндағысы — ${shown(root)}); SLD үшін ол қажет емес: оны <!DOCTYPE басынан жабатын > таңбасына дейін жойыңыз`,
    tooDeep: (levels) => `кірістірілуі ${grouped(levels)} элементтен асады`,
    tooManyAttributes: (max) => `бір элементінде ${grouped(max)} атрибуттан көп`,
    wrongRoot: (root) =>
      otherFile(root) ?? `түбірлік элементі ${shown(root)} емес, StyledLayerDescriptor болуы тиіс`,
    notWellFormed(reason, line, column) {
      const place = line === undefined ? '' : `${line}-жол, ${column}-баған: `;
      const hint = reason.startsWith('malformed character entity')
        ? '; XML ішінде мұндай таңба жоқ'
        : reason.includes('entity')
          ? '; & таңбасын &amp; деп, қалған таңбаларды сол қалпында жазыңыз'
          : '';
      return `XML қате құрылған: ${place}${shown(reason)}${hint}`;
    },
  },
};
