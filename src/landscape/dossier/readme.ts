/** The text of `README.txt` in every dossier file. */
export const readme = `DOSSIER OF A RUN OF THE LANDSCAPE PROGRAM (Steppe)

What is in it
  manifest.json    run, parameters, versions, and by SHA-256 every raster that was read and made; canonical JSON (RFC 8785)
  contents.json    SHA-256 and size of every other member of this file, and what was left out, with the reason
  inventory.json   SHA-256 of every document, among them manifest.json, and so of every raster: what was signed, where the whole dossier was
  signature.p7s    a detached CMS signature over inventory.json; where that is not there, over signed-manifest.json, else over manifest.json
  report.html      the report: opens in any browser, without a network
  areas/           hectares of each zone by district and by region; balance/: the same by cell, with thresholds and order
  record.json      name, note, state and basis of the run, and every change of them
  uploads/         what was found in each uploaded raster;  styles/: the styles (SLD) in force
  cogs/            the outputs, by node, and inputs/ the inputs and their originals, where they were asked for

How to verify it: on any machine, in a clone of the same version of Steppe, without a database and a network:
  ./steppe verify FILE                 examines every byte, names what was changed, and says what the signature covers and what it does not
  ./steppe verify FILE --trust CERT    says as well whether the signer is the one whose certificate, or whose issuer's, is in the file CERT
  ./steppe verify FILE --recompute     computes all outputs from inputs/ again, and compares them bit for bit
By hand:  unzip FILE && sha256sum manifest.json

What it shows: without a signature, that the parts of this file fit each other, and nothing of who has made it: whoever changes a member can write its
digest anew. With --recompute, reproduction: these inputs with these parameters give these outputs. Whether inputs are true to the land, no
digest can say. Hectares are mapped areas, not a survey of boundaries. A signature over inventory.json covers every member of this file; one over a
manifest covers the run and its rasters, not report, areas, balance, record and styles. Whether the name in a certificate is true, only a certificate
that you have from elsewhere can show.


ДОСЬЕ РАСЧЁТА ЛАНДШАФТНОЙ ПРОГРАММЫ (Steppe)

Состав
  manifest.json    расчёт, параметры, версии и SHA-256 каждого исходного и полученного растра; канонический JSON (RFC 8785)
  contents.json    SHA-256 и размер всех остальных файлов досье, а также что не вошло и почему
  inventory.json   опись: SHA-256 каждого документа, в том числе manifest.json, а через него каждого растра; подписывается она, если подписано всё досье
  signature.p7s    отсоединённая подпись CMS к inventory.json; если его нет, то к signed-manifest.json, иначе к manifest.json
  report.html      отчёт: открывается в любом браузере без сети
  areas/           гектары каждой зоны по районам и областям; balance/: то же по ячейкам, с порогами и порядком отраслей
  record.json      название, примечание, состояние и основание расчёта со всеми изменениями
  uploads/         что найдено в каждом загруженном растре;  styles/: действующие стили (SLD)
  cogs/            результаты по узлам и inputs/ исходные растры с оригиналами, если они запрошены

Как проверить: на любом компьютере, в копии той же версии Steppe, без базы данных и без сети:
  ./steppe verify FILE                 проверяет каждый байт, называет изменённое и сообщает, что подпись удостоверяет, а что нет
  ./steppe verify FILE --trust CERT    сообщает также, подписал ли тот, чей сертификат или сертификат чьего издателя лежит в файле CERT
  ./steppe verify FILE --recompute     вычисляет все результаты из inputs/ заново и сравнивает их бит в бит
Вручную:  unzip FILE && sha256sum manifest.json

Что это показывает: без подписи — что части файла согласуются друг с другом, но не кто его составил: изменивший файл может заново записать и его
контрольную сумму. С --recompute — воспроизводимость: эти исходные растры с этими параметрами дают эти результаты. Соответствуют ли исходные данные
местности, контрольная сумма сказать не может. Гектары — площади по карте, а не результат межевания. Подпись к inventory.json удостоверяет каждый файл
досье; подпись к манифесту — расчёт и его растры, но не отчёт, площади, баланс, запись и стили. Верно ли имя в сертификате, покажет только сертификат,
полученный другим путём.


ЛАНДШАФТТЫҚ БАҒДАРЛАМА ЕСЕПТЕУІНІҢ ІС ЖИНАҒЫ (Steppe)

Құрамы
  manifest.json    есептеу, параметрлер, нұсқалар және әр бастапқы мен алынған растрдың SHA-256 мәні; канондық JSON (RFC 8785)
  contents.json    іс жинағының қалған файлдарының SHA-256 мәні мен көлемі, не кірмегені және себебі
  inventory.json   тізімдеме: әр құжаттың, оның ішінде manifest.json файлының, ал ол арқылы әр растрдың SHA-256 мәні; бүкіл іс жинағына қол қойылса, осыған қойылады
  signature.p7s    inventory.json файлына, ол болмаса signed-manifest.json, әйтпесе manifest.json файлына қойылған бөлек CMS қолтаңбасы
  report.html      есеп: кез келген браузерде желісіз ашылады
  areas/           аудандар мен облыстар бойынша әр аймақтың гектары; balance/: сол деректер ұяшықтар бойынша, шектермен және салалар ретімен
  record.json      есептеудің атауы, ескертпесі, күйі мен негізі, барлық өзгерістерімен
  uploads/         әр жүктелген растрдан не табылғаны;  styles/: қолданыстағы стильдер (SLD)
  cogs/            түйіндер бойынша нәтижелер және inputs/ бастапқы растрлар мен түпнұсқалар, егер сұралса

Қалай тексеруге болады: кез келген компьютерде, Steppe-нің сол нұсқасының көшірмесінде, дерекқорсыз және желісіз:
  ./steppe verify FILE                 әр байтты тексереді, не өзгергенін, қолтаңба нені куәландырып, нені куәландырмайтынын айтады
  ./steppe verify FILE --trust CERT    қол қойған адамның сертификаты немесе оны берушінің сертификаты CERT файлында ма, соны да айтады
  ./steppe verify FILE --recompute     барлық нәтижені inputs/ растрларынан қайта есептеп, битке дейін салыстырады
Қолмен:  unzip FILE && sha256sum manifest.json

Бұл нені көрсетеді: қолтаңбасыз — файлдың бөліктері бір-біріне сай екенін ғана, оны кім жасағанын емес: файлды өзгерткен адам оның бақылау сомасын да
қайта жаза алады. --recompute — қайта алуға болатынын: осы бастапқы растрлар осы параметрлермен осы нәтижелерді береді. Бастапқы деректер жергілікті
жерге сай ма, оны бақылау сомасы айта алмайды. Гектар — карта бойынша алынған аудан, шекараны бөлу нәтижесі емес. inventory.json файлына қойылған қолтаңба
іс жинағының әр файлын куәландырады; манифестке қойылған қолтаңба есептеу мен оның растрларын ғана, есепті, алаңдарды, балансты, жазбаны және
стильдерді емес. Сертификаттағы атау шын ба, оны басқа жолмен алынған сертификат қана көрсетеді.
`;
