import type { references as english } from './en.ts';

export const references: typeof english = {
  title: 'Мекенжай бойынша растр',
  lead: 'Файл өз серверінде қалады. Ол сервис әкімшісі рұқсат еткен сервердегі Cloud-Optimized GeoTIFF болуы керек.',
  address: 'Мекенжай',
  addressHint: 'https://…/name.tif',
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
