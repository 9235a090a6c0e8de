import type { references as english } from './en.ts';

export const references: typeof english = {
  title: 'Мекенжай бойынша файл',
  kind: 'Нені тіркеу',
  kinds: { file: 'Бір файл', stac: 'STAC элементтері' },
  lead: 'Файл өз серверінде қалады. Ол сервис әкімшісі рұқсат еткен сервердегі немесе бакеттегі Cloud-Optimized GeoTIFF не FlatGeobuf болуы керек.',
  address: 'Мекенжай',
  addressHint: 'https://…/name.tif, https://…/name.fgb немесе s3://bucket/name.tif',
  stacLead:
    'Элементтің, элементтер тізімінің, жинақтың немесе каталогтың мекенжайы. Әр элементтің бір файлы сол элементтің кезеңімен топтың деректер жиынына айналады.',
  stacHint: 'https://…/collection.json немесе https://…/collections/…/items',
  look: 'Элементтерді көрсету',
  items: (count) => `${count} элемент`,
  firstItems: (count) => `алғашқы ${count}, барлығы одан көп`,
  noFiles: 'Бірде-бір элементте тіркеуге болатын файл жоқ: GeoTIFF немесе FlatGeobuf.',
  asset: 'Әр элементтің файлы',
  registerAll: 'Барлығын тіркеу',
  registering: (count) => `Тіркеу жүріп жатыр, дайыны: ${count}.`,
  registered: (count) => `Тіркелді: ${count}.`,
  notRegistered: (count) => `Тіркелмеді: ${count}`,
  notAll: 'Элементтер 500-ден көп; қалғандары оқылмады.',
  add: 'Тіркеу',
  place: 'Басқа серверде',
  states: {
    unchanged: 'өзгермеген',
    changed: 'өзгерген',
    unreachable: 'оқылмайды',
  },
  state: 'Күйі',
  looked: 'Соңғы тексеру',
  meaning: 'Оқылған әр бөлік тіркелген файлмен салыстырылады.',
  copy: 'Осында көшіру',
  copying: 'Файл көшірілуде.',
  copyHint:
    'Содан кейін деректер жиыны басқа серверге тәуелді болмайды, оны пайдаланған есептеулерді бекітуге болады.',
};
