import type { Subject } from './subject.ts';

/** The token comes from the environment, since others could read it in an address or a script. */
const tokenInPython = 'token = os.environ["STEPPE_TOKEN"]';
const tokenInR = 'token <- Sys.getenv("STEPPE_TOKEN")';

const lines = (...parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join('\n');

/** A Python script that reads the subject into a table or an array. */
export function pythonOf(subject: Subject): string | undefined {
  const { kind, type, base, id, hasTokens } = subject;
  const at = `${base}/datasets/${id}`;
  const imports = (...names: readonly string[]): string =>
    [...(hasTokens ? ['import os'] : []), ...names.map((name) => `import ${name}`)].join('\n');
  const options = hasTokens && [tokenInPython, 'headers = {"Authorization": f"Bearer {token}"}'].join('\n');
  const more = (name: string): string => (hasTokens ? `, ${name}=headers` : '');
  if (kind === 'service')
    return lines(
      imports('pandas as pd', 'requests'),
      '',
      options,
      `url = "${base}/datasets"`,
      'query = {"status": "ready", "page_size": 100}',
      `answer = requests.get(url, query${more('headers')})`,
      'datasets = pd.json_normalize(answer.json()["data"])',
      'print(datasets[["id", "name", "file_type"]])',
    );
  if (kind === 'run')
    return lines(
      imports('pandas as pd', 'requests'),
      '',
      options,
      `url = "${base}/landscape/runs/${id}/balance"`,
      'query = {"by": "district", "wait": 60}',
      `balance = requests.get(url, query${more('headers')}).json()`,
      'zones = pd.DataFrame(',
      '    [[u["kato"], u["name"], *u["zones"]] for u in balance["units"]],',
      '    columns=["kato", "name", "V1", "V2", "V3"],',
      ')',
      'print(zones)  # hectares',
    );
  if (type === 'vector_with_kato')
    return lines(
      imports('pandas as pd'),
      '',
      options,
      `url = "${at}/observations.csv?shape=long"`,
      `table = pd.read_csv(url, dtype={"kato_code": str}${more('storage_options')})`,
      'print(table.pivot(index="kato_code", columns="start_date", values="value"))',
    );
  if (type === 'vector')
    return lines(
      hasTokens ? imports('geopandas', 'io', 'requests') : imports('geopandas'),
      '',
      options,
      `url = "${at}.fgb"`,
      ...(hasTokens
        ? [
            'answer = requests.get(url, headers=headers)',
            'features = geopandas.read_file(io.BytesIO(answer.content))',
          ]
        : ['features = geopandas.read_file(url)']),
      'print(features)',
    );
  if (type !== 'raster') return undefined;
  return lines(
    imports('rasterio'),
    '',
    hasTokens && tokenInPython,
    `url = "${at}.cog"`,
    hasTokens && 'headers = f"Authorization: Bearer {token}"',
    hasTokens
      ? 'with rasterio.Env(GDAL_HTTP_HEADERS=headers), rasterio.open(url) as raster:'
      : 'with rasterio.open(url) as raster:',
    '    size = (raster.height // 4, raster.width // 4)',
    '    values = raster.read(1, out_shape=size, masked=True)',
    '    print(raster.crs, raster.res, values.mean())',
  );
}

/** The same script in R. */
export function rOf({ kind, type, base, id, hasTokens }: Subject): string | undefined {
  const at = `${base}/datasets/${id}`;
  const header = 'Authorization = paste("Bearer", token)';
  const asked = (...steps: readonly string[]): string =>
    ['request(url)', ...(hasTokens ? [`req_headers(${header})`] : []), ...steps, 'req_perform()'].join(
      ' |>\n  ',
    );
  const token = hasTokens && tokenInR;
  if (kind === 'service')
    return lines(
      'library(httr2)',
      token,
      `url <- "${base}/datasets"`,
      `answer <- ${asked('req_url_query(status = "ready", page_size = 100)')}`,
      'datasets <- resp_body_json(answer, simplifyVector = TRUE)$data',
      'print(datasets[, c("id", "name", "file_type")])',
    );
  if (kind === 'run')
    return lines(
      'library(httr2)',
      token,
      `url <- "${base}/landscape/runs/${id}/balance"`,
      `answer <- ${asked('req_url_query(by = "district", wait = 60)')}`,
      'units <- resp_body_json(answer, simplifyVector = TRUE)$units',
      'zones <- do.call(rbind, units$zones)  # hectares of V1, V2, V3',
      'print(data.frame(units[c("kato", "name")], zones))',
    );
  if (type === 'vector_with_kato')
    return lines(
      'library(httr2)',
      token,
      `url <- "${at}/observations.csv?shape=long"`,
      `answer <- ${asked()}`,
      'table <- read.csv(',
      '  text = resp_body_string(answer),',
      '  colClasses = c(kato_code = "character")',
      ')',
      'print(table)',
    );
  if (type === 'vector')
    return lines(
      'library(sf)',
      token,
      hasTokens && 'header <- paste("Authorization: Bearer", token)',
      hasTokens && 'Sys.setenv(GDAL_HTTP_HEADERS = header)',
      `url <- "${at}.fgb"`,
      'features <- st_read(paste0("/vsicurl/", url))',
      'plot(features)',
    );
  if (type !== 'raster') return undefined;
  return lines(
    'library(terra)',
    token,
    hasTokens && 'headers <- paste("Authorization: Bearer", token)',
    hasTokens && 'setGDALconfig("GDAL_HTTP_HEADERS", headers)',
    `url <- "${at}.cog"`,
    'raster <- rast(paste0("/vsicurl/", url))',
    'plot(raster)',
  );
}

/** An HTML page with a MapLibre map; undefined if the subject is not a single map. */
export function webOf({ kind, base, id, maps, hasTokens }: Subject): string | undefined {
  if (kind === 'service' || kind === 'run') return undefined;
  const address = maps[0]?.address ?? (kind === 'dataset' ? `${base}/datasets/${id}` : undefined);
  if (address === undefined) return undefined;
  return lines(
    "import maplibregl from 'maplibre-gl';",
    "import 'maplibre-gl/dist/maplibre-gl.css';",
    '',
    'const map = new maplibregl.Map({',
    "  container: 'map',",
    `  style: '${address}/style.json',`,
    hasTokens && '  // token: what the person has typed in; it goes to this service alone.',
    hasTokens &&
      [
        '  transformRequest: (url) =>',
        `    url.startsWith('${base}/')`,
        '      ? { url, headers: { Authorization: `Bearer ${token}` } }',
        '      : { url },',
      ].join('\n'),
    '});',
  );
}
