import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { deleteDataset } from '../../uploads/delete-dataset.ts';
import { words } from '../../words/words.ts';

/** Asks once before a dataset goes for good. */
export function DeleteDialog({
  id,
  name,
  onClose,
  onDeleted,
}: {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const { dataset: text } = words();
  return (
    <ChangeDialog
      ids={[id]}
      title={text.removeTitle(name)}
      action={text.remove}
      isDanger
      change={deleteDataset}
      onClose={onClose}
      onDone={(unchanged) => {
        if (unchanged.length === 0) onDeleted();
      }}
    >
      <p>{text.removeText}</p>
    </ChangeDialog>
  );
}
