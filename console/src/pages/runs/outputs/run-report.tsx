import { FileLink } from '../../../parts/file-link.tsx';
import { fileNameOf } from '../../../parts/downloads.ts';
import { languages, namesOfLanguages } from '../../../words/languages.ts';
import { runsWords } from '../words/words.ts';

/** So long the service holds the answer while it makes a report. */
const waitSeconds = 10;

interface RunReportProps {
  readonly id: string;
  /** What people call the run. */
  readonly name: string;
}

/** The report on a run, as a file in each language. */
export function RunReport({ id, name }: RunReportProps) {
  const { report } = runsWords();
  return (
    <>
      <p>{report.text}</p>
      <div class="actions">
        {languages.map((each) => (
          <FileLink
            key={each}
            isMade
            file={{
              label: namesOfLanguages[each].long,
              lang: each,
              path: `./landscape/runs/${encodeURIComponent(id)}/report.html?lang=${each}&wait=${waitSeconds}`,
              name: fileNameOf(`${name} (${each})`, 'html'),
            }}
          />
        ))}
      </div>
    </>
  );
}
