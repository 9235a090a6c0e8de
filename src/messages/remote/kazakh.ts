import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const instead = 'Файлды жүктеп алып, осында жүктеңіз.';

export const kazakh = {
  remote: {
    off: 'Сервис басқа серверлердің файлдарын оқымайды: әкімші REFERENCE_HOSTS тізіміне ешкімді енгізбеген.',
    notAnAddress:
      'пайдаланушы аты, құпиясөзі және фрагменті жоқ, 2000 таңбадан аспайтын https мекенжайы болуы керек',
    hostNotListed: (host) =>
      `Сервис әкімшісі ${host} серверін REFERENCE_HOSTS тізіміне енгізбеген, сондықтан одан ештеңе оқылмайды.`,
    privateAddress: (host) =>
      `${host} мекенжайы жеке немесе резервтелген желіде, ал сервис ондай желіден ешқашан оқымайды.`,
    noSuchHost: (host) => `${host} атауының мекенжайы жоқ.`,
    noAnswer: (host) => `${host} уақытында жауап бермеді.`,
    noConnection: (host) => `${host} серверіне қосылу сәтсіз аяқталды.`,
    badCertificate: (host) => `${host} сертификаты оған жарамсыз немесе оны белгісіз орталық берген.`,
    redirectedAway: (host) =>
      `Мекенжай ${host} серверіне бағыттайды, ал ол REFERENCE_HOSTS тізіміндегі сервердің https мекенжайы емес.`,
    tooManyRedirects: (host) => `${host} қайта-қайта бағыттай береді.`,
    denied: (host) => `${host} файлды бермейді. ${instead}`,
    missing: (host) => `${host} серверінде бұл мекенжайда файл жоқ.`,
    otherStatus: (host, status) => `${host} ${status} күйімен жауап берді.`,
    noRanges: (host) => `${host} файлдарды бөліктеп (диапазонмен) бермейді. ${instead}`,
    encoded: (host) =>
      `${host} файлды мазмұн кодтауымен жібереді, оның бөліктерін оқу мүмкін емес. ${instead}`,
    noLength: (host) => `${host} файлдың ұзындығын хабарламайды. ${instead}`,
    otherBytes: (host) => `${host} хабарлағанынан басқа байттар жіберді.`,
    empty: 'Файл бос.',
    tooLarge: (mostGiB) => `Файл ${mostGiB} ГиБ-тан үлкен.`,
    changed: (host) =>
      `${host} серверіндегі файл тіркелген файл емес. Оны жаңа деректер жиыны ретінде қайта тіркеңіз.`,
    wrongName:
      'Файл атауы .tif немесе .tiff деп аяқталуы керек: басқа серверде тек Cloud-Optimized GeoTIFF қала алады.',
    notATiff: 'Файл атауына қарамастан TIFF емес.',
  },
  reference: {
    notCog: () =>
      `Файл толық Cloud-Optimized GeoTIFF емес: оның бөліктерін жеке оқу мүмкін емес. ${instead} Сонда сервис оны түрлендіреді.`,
    notAReference: () => 'деректер жиынының файлы осында сақталған',
    notReady: () => 'деректер жиыны дайын емес; дайын болғанда оның файлын көшіруге болады',
  },
} satisfies Translations<typeof english>;
