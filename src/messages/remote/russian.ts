import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const instead = 'Скачайте файл и загрузите его.';

export const russian = {
  remote: {
    off: 'Сервис не читает файлы с других серверов: его администратор никого не указал в REFERENCE_HOSTS.',
    notAnAddress:
      'должно быть адресом https без имени пользователя, пароля и фрагмента, не длиннее 2000 символов',
    hostNotListed: (host) =>
      `Администратор сервиса не указал ${host} в REFERENCE_HOSTS, поэтому оттуда ничего не читается.`,
    privateAddress: (host) =>
      `Адрес ${host} находится в частной или зарезервированной сети, откуда сервис никогда не читает.`,
    noSuchHost: (host) => `У имени ${host} нет адреса.`,
    noAnswer: (host) => `${host} не ответил вовремя.`,
    noConnection: (host) => `Соединение с ${host} не удалось.`,
    badCertificate: (host) => `Сертификат ${host} для него недействителен или выдан неизвестным центром.`,
    redirectedAway: (host) =>
      `Адрес перенаправляет на ${host}, а это не адрес https сервера из REFERENCE_HOSTS.`,
    tooManyRedirects: (host) => `${host} перенаправляет снова и снова.`,
    denied: (host) => `${host} не выдаёт файл. ${instead}`,
    missing: (host) => `На ${host} нет файла по этому адресу.`,
    otherStatus: (host, status) => `${host} ответил со статусом ${status}.`,
    noRanges: (host) => `${host} не отдаёт файлы по частям (диапазонам). ${instead}`,
    encoded: (host) =>
      `${host} отправляет файл в кодировке содержимого, и его части нельзя прочитать. ${instead}`,
    noLength: (host) => `${host} не сообщает длину файла. ${instead}`,
    otherBytes: (host) => `${host} прислал не те байты, о которых сообщил.`,
    empty: 'Файл пуст.',
    tooLarge: (mostGiB) => `Файл больше ${mostGiB} ГиБ.`,
    changed: (host) =>
      `Файл на ${host} уже не тот, что был зарегистрирован. Зарегистрируйте его снова как новый набор данных.`,
    wrongName:
      'Имя файла должно кончаться на .tif или .tiff: на другом сервере может оставаться только Cloud-Optimized GeoTIFF.',
    notATiff: 'Файл не является TIFF, хотя так назван.',
  },
  reference: {
    notCog: () =>
      `Файл не является полным Cloud-Optimized GeoTIFF: его части нельзя читать по отдельности. ${instead} Сервис его преобразует.`,
    notAReference: () => 'файл набора данных уже хранится здесь',
    notReady: () => 'набор данных не готов; его файл можно скопировать, когда он будет готов',
  },
} satisfies Translations<typeof english>;
