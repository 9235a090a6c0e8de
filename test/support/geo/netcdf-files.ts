/** A variable of a NetCDF file: its type, dimensions, attributes and values. */
export interface NetcdfVariable {
  readonly name: string;
  readonly type: 'int16' | 'int32' | 'float32' | 'float64';
  readonly dimensions: readonly string[];
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly values: readonly number[];
}

const types = { int16: [3, 2], int32: [4, 4], float32: [5, 4], float64: [6, 8] } as const;

/** Writes a file of the classic format CDF-1, without a dimension of records. */
export function netcdfFile(
  dimensions: Readonly<Record<string, number>>,
  variables: readonly NetcdfVariable[],
): Buffer {
  const names = Object.keys(dimensions);
  const header = (begins: readonly number[]): Buffer =>
    Buffer.concat([
      Buffer.from('CDF\x01'),
      int(0),
      list(
        10,
        names.map((name) => Buffer.concat([text(name), int(dimensions[name] ?? 0)])),
      ),
      list(12, []),
      list(
        11,
        variables.map((variable, index) =>
          Buffer.concat([
            text(variable.name),
            int(variable.dimensions.length),
            ...variable.dimensions.map((name) => int(names.indexOf(name))),
            list(12, Object.entries(variable.attributes ?? {}).map(attribute(variable.type))),
            int(types[variable.type][0]),
            int(padded(bytesOf(variable)).length),
            int(begins[index] ?? 0),
          ]),
        ),
      ),
    ]);
  const bodies = variables.map((variable) => padded(bytesOf(variable)));
  let at = header([]).length;
  const begins = bodies.map(({ length }) => (at += length) - length);
  return Buffer.concat([header(begins), ...bodies]);
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
const text = (words: string): Buffer =>
  Buffer.concat([int(Buffer.byteLength(words)), padded(Buffer.from(words))]);
const list = (tag: number, items: readonly Buffer[]): Buffer =>
  Buffer.concat([int(items.length === 0 ? 0 : tag), int(items.length), ...items]);

/** Missing values have the type of the variable, other numbers 64 bits. */
const attribute =
  (type: NetcdfVariable['type']) =>
  ([name, value]: readonly [string, string | number]): Buffer => {
    if (typeof value === 'string') return Buffer.concat([text(name), int(2), text(value)]);
    const own = name === '_FillValue' ? type : 'float64';
    return Buffer.concat([text(name), int(types[own][0]), int(1), padded(numbers(own, [value]))]);
  };

const bytesOf = ({ type, values }: NetcdfVariable): Buffer => numbers(type, values);

function numbers(type: NetcdfVariable['type'], values: readonly number[]): Buffer {
  const [, size] = types[type];
  const bytes = Buffer.alloc(values.length * size);
  for (const [index, value] of values.entries()) {
    const at = index * size;
    if (type === 'int16') bytes.writeInt16BE(value, at);
    else if (type === 'int32') bytes.writeInt32BE(value, at);
    else if (type === 'float32') bytes.writeFloatBE(value, at);
    else bytes.writeDoubleBE(value, at);
  }
  return bytes;
}
