/** `npm run image`: the image of `Dockerfile`, built without a container engine and without a registry. */
import { asksForHelp, readOptions } from '../src/commands/options.ts';
import { installDebianPackages } from './debian-packages.ts';
import { buildImage, imagePackages } from '../test/support/deploy/image.ts';

const args = process.argv.slice(2);
if (asksForHelp(args)) {
  console.log(`Usage: npm run image [-- --tag NAME]

Builds the image with buildah, as root, on a base of Debian's packages; what is missing is installed first. With a container engine
of your own, docker build -t steppe . does the same. Afterwards: buildah push NAME docker-archive:steppe.tar:steppe`);
  process.exit(0);
}
const { values } = readOptions(args, { tag: { type: 'string', default: 'localhost/steppe' } }, 0);
installDebianPackages(imagePackages);
await buildImage(values.tag);
