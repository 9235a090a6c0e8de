import { fastify } from 'fastify';
import { Pool, TypeOverrides } from 'pg';

/** A minimal server with Fastify and node-postgres that sends the same rows as the service. Prints its port. */
const [target = ''] = process.argv.slice(2);
const oids = { int8: 20, date: 1082 } as const;
const types = new TypeOverrides();
types.setTypeParser(oids.int8, Number);
types.setTypeParser(oids.date, (text) => text);
const pool = new Pool({ ...JSON.parse(target), max: 20, types });
const app = fastify();

const summary = `id, category_id, dg_id, start_date, end_date, name, description, unit, file_type, size_bytes,
  status, created_at, updated_at`;
const fileKey = (kind: string) =>
  `(select object_key from dataset_files where dataset_id = datasets.id and kind = '${kind}')`;
const whole = `${summary}, filename, ${fileKey('original')} as storage_key, ${fileKey('cog')} as cog_storage_key,
  ${fileKey('sld')} as sld_storage_key, sld_filename,
  sld_content_type, content_type, meta, automated, attribute_columns, kato_column, year_columns, parse_error`;

app.get('/datasets', async () => {
  const [{ rows: data }, counted] = await Promise.all([
    pool.query(`select ${summary} from datasets order by created_at desc, id limit 20 offset 0`),
    pool.query<{ total: number }>('select count(*) as total from datasets'),
  ]);
  const total = counted.rows[0]?.total ?? 0;
  return { data, page: 1, page_size: 20, total, total_pages: Math.ceil(total / 20) };
});

app.get<{ Params: { id: string } }>('/datasets/:id', async (request) => {
  const { rows } = await pool.query(`select ${whole} from datasets where id = $1`, [request.params.id]);
  return rows[0];
});

app.get('/categories', async () => {
  const { rows } = await pool.query(
    'select id, parent_id, code, name, description, created_at, updated_at from categories order by name, id',
  );
  return rows;
});

await app.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify(app.addresses()[0]));
