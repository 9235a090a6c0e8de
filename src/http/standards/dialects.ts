export { type DoorRoot, doorErrors, doorProgramErrors } from '../openapi/doors.ts';
