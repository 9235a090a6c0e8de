export const watch = {
  title: 'Watch',
  lead: 'When an input changes and a run would compute something new, the service makes a draft automatically. It adopts nothing by itself.',
  on: 'Make drafts when inputs change',
  hold: 'After no change for',
  holds: {
    PT0S: '0 minutes (at once)',
    PT5M: '5 minutes',
    PT30M: '30 minutes',
    PT2H: '2 hours',
    P1D: '1 day',
  },
  states: {
    off: 'The watch is off.',
    idle: 'No input waits for a draft.',
    run_in_progress: 'Inputs have changed. The watch waits for a run in progress to end.',
  },
  waiting: (moment: string) =>
    `Inputs have changed. A draft will be made on ${moment} unless they change again.`,
  outcomes: {
    draft: '',
    made_before: 'These inputs already have a draft.',
    same: 'A run would compute nothing new.',
    cannot_begin: 'No run could begin with them:',
  },
  none: 'none',
  deleted: 'deleted',
  last: 'Last draft',
  noAdopted: 'No run is adopted, so there is nothing to compare with.',
  counting: 'The land that changes is being counted…',
  changed: (hectares: string, share: string) =>
    `Another zone than in the adopted run: ${hectares} ha (${share}).`,
  compare: 'Compare with the adopted run',
  waitsFor: 'A draft of the watch waits for your judgement:',
};
