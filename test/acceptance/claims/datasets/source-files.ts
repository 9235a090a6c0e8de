import { checkedElsewhere } from '../../claim.ts';

checkedElsewhere('src/source-files/source-files.test.ts', {
  'is kept by its content, whatever its name, and tells its variables and times': [
    'D7 sources upload',
    'D7 sources variables',
  ],
  'becomes one dataset per time, in a group, with its period and its origin': ['D7 sources rasters'],
  'refuses what it does not have, part by part': ['D7 sources refusals'],
  'takes a reference system from the request if it has none': ['D7 sources refusals'],
  'that is damaged says so, and another kind of file is not kept': [
    'D7 sources upload',
    'D7 sources variables',
  ],
  'goes with DELETE, or when it is not used, and its rasters stay': ['D7 sources'],
});
