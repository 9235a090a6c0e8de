/** A child of the engine under the control of a hostile file: it performs whatever it is told. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { answerOnce } from '../../../src/geo/gdal/answer-once.ts';
import { refuseForeignDrivers } from '../../../src/geo/gdal/load-gdal.ts';

type Perform = (told: Readonly<Record<string, unknown>>) => Promise<string> | string;

const Text = z.string();
const Count = z.number();
const Layers = z.array(z.string());

const deeds: Readonly<Record<string, Perform>> = {
  read: ({ path }) => readFileSync(Text.parse(path), 'utf8'),
  list: ({ path }) => readdirSync(Text.parse(path)).join(' '),
  write({ path, bytes }) {
    writeFileSync(Text.parse(path), Buffer.alloc(Count.parse(bytes), 1));
    return 'written';
  },
  connect: ({ port }) => connectTo(Count.parse(port)),
  signal({ pid }) {
    process.kill(Count.parse(pid), 0);
    return 'there';
  },
  variable: ({ name }) => process.env[Text.parse(name)] ?? 'unset',
  allocate: ({ bytes }) => String(Buffer.alloc(Count.parse(bytes), 1).length),
  spin({ cpuSeconds }) {
    const enough = Count.parse(cpuSeconds);
    while (usedCpuSeconds() < enough);
    return 'spun';
  },
  async rest({ seconds }) {
    await sleep(Count.parse(seconds) * 1000);
    return 'rested';
  },
  spawn: ({ seconds }) => String(spawn('sleep', [String(Count.parse(seconds))], { stdio: 'ignore' }).pid),
  say: ({ bytes }) => 'x'.repeat(Count.parse(bytes)),
  link({ folder, to }) {
    symlinkSync(Text.parse(to), join(Text.parse(folder), 'result'));
    return 'result';
  },
  'open-raster'({ path, without }) {
    if (!Layers.parse(without).includes('driver-list')) refuseForeignDrivers('raster');
    return pixelsOf(Text.parse(path));
  },
  'open-vector'({ path, without }) {
    if (!Layers.parse(without).includes('driver-list')) refuseForeignDrivers('vector');
    return attributesOf(Text.parse(path));
  },
};

const Told = z.looseObject({ task: z.string() });

answerOnce(async (message) => {
  const { all, ...told } = z.looseObject({ ...Told.shape, all: z.array(Told).optional() }).parse(message);
  if (all === undefined) return await perform(told);
  const done = await Array.fromAsync(all, async (one) => await perform({ ...told, ...one }));
  return { did: JSON.stringify(done.map(({ did, failed }) => did ?? `failed: ${failed}`)) };
});

async function perform(told: z.infer<typeof Told>): Promise<{ did?: string | undefined; failed?: string }> {
  try {
    return { did: await deeds[told.task]?.(told) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

function usedCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function connectTo(port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  connect(port, '127.0.0.1', () => resolve('connected')).on('error', reject);
  return await promise;
}

/** Reads a file with any driver that GDAL chooses. */
async function pixelsOf(path: string): Promise<string> {
  const { default: gdal } = await import('gdal-async');
  return gdal.open(path).bands.get(1).pixels.read(0, 0, 1, 1).join();
}

async function attributesOf(path: string): Promise<string> {
  const { default: gdal } = await import('gdal-async');
  const layer = gdal.open(path).layers.get(0);
  return JSON.stringify(layer.features.map((feature) => feature.fields.toObject()));
}
