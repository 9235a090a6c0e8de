import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReferenceBucket, readS3Url } from './location.ts';

test('a URL names a bucket, and perhaps a prefix, an endpoint, a region and the style of paths', () => {
  assert.deepEqual(readS3Url('s3://maps'), {
    bucket: 'maps',
    prefix: '',
    endpoint: undefined,
    region: undefined,
    forcePathStyle: false,
  });
  assert.deepEqual(
    readS3Url('s3://maps/steppe/one?endpoint=https%3A%2F%2Fs3.example%3A9000&region=eu-1&path_style=true'),
    {
      bucket: 'maps',
      prefix: 'steppe/one/',
      endpoint: 'https://s3.example:9000',
      region: 'eu-1',
      forcePathStyle: true,
    },
  );
});

test('a server other than AWS has the usual region unless another one is named', () => {
  assert.equal(readS3Url('s3://maps?endpoint=http://s3.example').region, 'us-east-1');
});

test('a URL that says something else is refused in words', () => {
  const refused: readonly (readonly [url: string, words: RegExp])[] = [
    ['s3://', /after s3:\/\/ comes the name of a bucket/],
    ['s3://Maps_1', /name of a bucket/],
    ['s3://key:secret@maps', /must hold no credentials/],
    ['s3://maps?acl=public', /acl is not known/],
    ['s3://maps/a b', /the prefix/],
    ['s3://maps?endpoint=s3.example', /endpoint must be an http or https URL/],
    ['s3://maps?path_style=yes', /path_style must be true or false/],
  ];
  for (const [url, words] of refused) assert.throws(() => readS3Url(url), words, url);
});

test('a bucket of references may be public, or have a profile of its own', () => {
  assert.equal(readReferenceBucket('s3://maps?anonymous=true&region=eu-1').isAnonymous, true);
  assert.equal(readReferenceBucket('s3://maps/one?profile=archive').profile, 'archive');
  const refused: readonly (readonly [url: string, words: RegExp])[] = [
    [
      's3://maps?acl=public',
      /^REFERENCE_BUCKETS: acl .* endpoint, region, path_style, profile and anonymous/,
    ],
    ['s3://maps?anonymous=1', /anonymous must be true or false/],
    ['s3://maps?anonymous=true&profile=a', /either profile or anonymous/],
  ];
  for (const [url, message] of refused) assert.throws(() => readReferenceBucket(url), { message });
  assert.throws(() => readS3Url('s3://maps?profile=archive'), /profile is not known/);
});
