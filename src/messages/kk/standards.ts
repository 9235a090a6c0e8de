import type { AllSentences } from '../areas.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';

const types = new Map([
  ['string', 'мәтінмен'],
  ['number', 'санмен'],
  ['integer', 'санмен'],
  ['date', 'күнмен, мысалы 2024-06-01, немесе уақытпен'],
  ['boolean', 'true немесе false мәнімен, тек = және <> арқылы'],
  ['time', 'уақытпен, мысалы 2024-06-01T00:00:00Z, немесе аралықпен'],
  ['geometry', 'S_INTERSECTS ішіндегі геометриямен'],
]);

export const standards = {
  filter: {
    syntax: (character) => `${character}-таңбадан бастап CQL2 емес`,
    notAnOperation: 'CQL2 JSON болуы керек: op және args бар объект',
    tooManyParts: (max) =>
      `амалдардың, мәндердің және нүктелердің жалпы саны ${withEnding(max, 'ablative')} көп болмауы керек`,
    tooDeep: (levels) => `бірінің ішіндегі бірі ${levels} амалдан көп болмауы керек`,
    unsupported: (name) => `ішінде ${name.slice(0, 64)} бар: мұнда оған қолдау жоқ`,
    unknownProperty: (name) => `ішінде ${name.slice(0, 64)} қасиеті бар, ол бойынша іріктеуге болмайды`,
    noProperty: (op) => `әр ${op} амалында қасиет болуы керек`,
    wrongArguments: (op) => `ішіндегі ${op} амалының аргументтер саны қате`,
    wrongValue: (property, type) =>
      `${property.slice(0, 64)} қасиетін ${types.get(type) ?? type} салыстыруы керек`,
    wrongPattern: (property, max) =>
      `LIKE сөзінен кейін ${max} таңбадан аспайтын мәтін, ал алдында ${property.slice(0, 64)} емес, мәтіндік қасиет тұруы керек`,
    wrongGeometry: (max) =>
      `S_INTERSECTS ішінде градуспен берілген, ${max} нүктеден аспайтын геометрия немесе жақтау болуы керек`,
    tooCostly: 'тым көп қырлы геометрияларды салыстырады; жақтауды немесе қарапайым геометрияны алыңыз',
  },
  standard: {
    unknownParameter: 'бұл жолда мұндай параметр жоқ',
    unknownMember: 'іздеуде мұндай өріс жоқ; кез келген қасиет бойынша CQL2 JSON тіліндегі filter іріктейді',
    query: (operators) =>
      `әр қасиетінде операторлар мен мәндер объектісі бар объект болуы керек: ${operators.join(', ')}`,
    datetime:
      '2024-06-01T00:00:00Z сияқты уақыт немесе қиғаш сызықпен бөлінген екі уақыт болуы керек, алдымен ертерегі; бірінің орнына .. тұра алады',
    bbox: 'төрт сан, биіктіктерімен алты сан болуы керек: батыс, оңтүстік, шығыс, солтүстік; оңтүстік солтүстіктен аспайды',
    geometry: (max) => `градуспен берілген, ${max} нүктеден аспайтын GeoJSON геометриясы болуы керек`,
    format: (name) => `${name} болуы керек`,
    offset: '0 немесе одан үлкен бүтін сан болуы керек',
    limit: '1 немесе одан үлкен бүтін сан болуы керек',
    token: 'осы іздеудің next сілтемесінен алынуы керек',
    boxAndGeometry: 'bbox параметрімен бірге жіберуге болмайды',
    unknownSort: (names) =>
      `мыналардың бірі болуы керек: ${names.join(', ')}; кері рет үшін алдына - қойылады`,
    noCollection: () => 'мұндай жинақ жоқ',
  },
} satisfies Partial<AllSentences>;
