import { ChooseFiles } from '../../uploads/drop-zone.tsx';
import { words } from '../../words/words.ts';

/** The page of a service without data: what this is, and how to begin. */
export function WelcomePage() {
  const { welcome } = words();
  return (
    <section class="welcome sheet" aria-labelledby="welcome-title">
      <h1 id="welcome-title" tabIndex={-1}>
        {welcome.title}
      </h1>
      <p>{welcome.text}</p>
      <div class="actions">
        <ChooseFiles label={welcome.choose} isPrimary />
      </div>
      <p class="small muted">{welcome.kinds}</p>
    </section>
  );
}
