/** The text that lies in every dossier file. */
export const readme = `DOSSIER OF A RUN OF THE LANDSCAPE PROGRAM (Steppe)

What is in it
  manifest.json    run, parameters, versions, and by SHA-256 every raster that was read and made; canonical JSON (RFC 8785)
  contents.json    SHA-256 and size of every other member of this file, and what was left out, with the reason
  signature.p7s    a detached CMS signature over signed-manifest.json, where there is that, else over manifest.json
  report.html      the report: opens in any browser, without a network
  areas/           hectares of each zone by district and by region; balance/: the same by cell, with thresholds and order
  record.json      name, note, state and basis of the run, and every change of them
  uploads/         what was found in each uploaded raster;  styles/: the styles (SLD) in force
  cogs/            the outputs, by node, and inputs/ the inputs and their originals, where they were asked for

How to verify it: on any machine, in a clone of the same version of Steppe, without a database and a network:
  ./steppe verify FILE                 proves every digest, and names what was changed, added, renamed or is missing
  ./steppe verify FILE --recompute     computes all outputs from inputs/ again, and compares them bit for bit
By hand:  unzip FILE && sha256sum manifest.json

What it proves: reproduction, not truth of inputs. These inputs with these parameters give these outputs. Whether inputs are true to the land, no
digest can say. Hectares are mapped areas, not a survey of boundaries. Who has signed is stated by the signature; trust in the
issuer of the certificate is for the reader to check. Areas, record and report are as they were when the file was made: the signature covers
the manifest, and through it the rasters.


ДОСЬЕ РАСЧЁТА ЛАНДШАФТНОЙ ПРОГРАММЫ (Steppe)

Состав
  manifest.json    расчёт, параметры, версии и SHA-256 каждого исходного и полученного растра; канонический JSON (RFC 8785)
  contents.json    SHA-256 и размер всех остальных файлов досье, а также что не вошло и почему
  signature.p7s    отсоединённая подпись CMS к signed-manifest.json, если он есть, иначе к manifest.json
  report.html      отчёт: открывается в любом браузере без сети
  areas/           гектары каждой зоны по районам и областям; balance/: то же по ячейкам, с порогами и порядком отраслей
  record.json      название, примечание, состояние и основание расчёта со всеми изменениями
  uploads/         что найдено в каждом загруженном растре;  styles/: действующие стили (SLD)
  cogs/            результаты по узлам и inputs/ исходные растры с оригиналами, если они запрошены

Как проверить: на любом компьютере, в копии той же версии Steppe, без базы данных и без сети:
  ./steppe verify FILE                 проверяет все контрольные суммы и называет, что изменено, добавлено, переименовано или отсутствует
  ./steppe verify FILE --recompute     вычисляет все результаты из inputs/ заново и сравнивает их бит в бит
Вручную:  unzip FILE && sha256sum manifest.json

Что это доказывает: воспроизводимость, а не верность исходных данных. Эти исходные растры с этими параметрами дают эти результаты. Соответствуют ли
исходные данные местности, контрольная сумма сказать не может. Гектары — площади по карте, а не результат межевания. Кто подписал, указано в
подписи; доверие к издателю сертификата проверяет читатель. Площади, запись и отчёт приведены на момент скачивания: подпись удостоверяет
манифест, а через него растры.


ЛАНДШАФТТЫҚ БАҒДАРЛАМА ЕСЕПТЕУІНІҢ ІС ЖИНАҒЫ (Steppe)

Құрамы
  manifest.json    есептеу, параметрлер, нұсқалар және әр бастапқы мен алынған растрдың SHA-256 мәні; канондық JSON (RFC 8785)
  contents.json    іс жинағының қалған файлдарының SHA-256 мәні мен көлемі, не кірмегені және себебі
  signature.p7s    signed-manifest.json файлына, ол болмаса manifest.json файлына қойылған бөлек CMS қолтаңбасы
  report.html      есеп: кез келген браузерде желісіз ашылады
  areas/           аудандар мен облыстар бойынша әр аймақтың гектары; balance/: сол деректер ұяшықтар бойынша, шектермен және салалар ретімен
  record.json      есептеудің атауы, ескертпесі, күйі мен негізі, барлық өзгерістерімен
  uploads/         әр жүктелген растрдан не табылғаны;  styles/: қолданыстағы стильдер (SLD)
  cogs/            түйіндер бойынша нәтижелер және inputs/ бастапқы растрлар мен түпнұсқалар, егер сұралса

Қалай тексеруге болады: кез келген компьютерде, Steppe-нің сол нұсқасының көшірмесінде, дерекқорсыз және желісіз:
  ./steppe verify FILE                 барлық бақылау сомасын тексереді, не өзгергенін, қосылғанын, атауы ауысқанын, жоғын айтады
  ./steppe verify FILE --recompute     барлық нәтижені inputs/ растрларынан қайта есептеп, битке дейін салыстырады
Қолмен:  unzip FILE && sha256sum manifest.json

Бұл нені дәлелдейді: бастапқы деректердің дұрыстығын емес, қайта алуға болатынын. Осы бастапқы растрлар осы параметрлермен осы нәтижелерді береді.
Бастапқы деректер жергілікті жерге сай ма, оны бақылау сомасы айта алмайды. Гектар — карта бойынша алынған аудан, шекараны бөлу нәтижесі емес. Кім қол
қойғаны қолтаңбада көрсетілген; сертификат шығарушыға сенуді оқырман тексереді. Аудандар, жазба және есеп жүктеп алынған сәттегідей: қолтаңба
манифесті, ал ол арқылы растрларды куәландырады.
`;
