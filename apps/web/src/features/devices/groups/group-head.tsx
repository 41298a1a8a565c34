import { RightOutlined } from '@ant-design/icons';
import { Checkbox } from 'antd';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { groupsText, manyDevicesText } from '../../../text/devices/many-devices.ts';
import { InlineEdit } from '../../../ui/fields/inline-edit.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import type { Choice } from '../many/use-choice.ts';
import { useUpdateDevices } from '../many/use-many-devices.ts';
import type { GroupRow } from './group-rows.ts';
import styles from './groups.module.css';

type GroupHeadProps = {
  row: GroupRow;
  /** Whether the search leaves no device of the group out, so that it can be renamed. */
  isWhole: boolean;
  choice: Choice;
  onFold: (name: string, isFolded: boolean) => void;
};

/** The head of a group's section: folds it, renames it, and chooses all of its devices. */
export function GroupHead({ row, isWhole, choice, onFold }: GroupHeadProps) {
  const { name, devices, isFolded } = row;
  const shownName = name === '' ? groupsText.none : name;
  const toast = useToast();
  const update = useUpdateDevices();
  const chosenCount = devices.filter(({ id }) => choice.ids?.has(id)).length;

  async function rename(group: string): Promise<string | undefined> {
    try {
      await update.mutateAsync({ devices, patch: { group } });
      toast.success(groupsText.renamed);
      return undefined;
    } catch (error) {
      return fieldErrors(error).group?.[0] ?? errorText(error);
    }
  }

  return (
    <header className={styles.head}>
      {choice.ids !== undefined && (
        <Checkbox
          aria-label={manyDevicesText.chooseGroup(shownName)}
          checked={chosenCount === devices.length}
          indeterminate={chosenCount > 0 && chosenCount < devices.length}
          onChange={(event) =>
            choice.chooseAll(
              devices.map(({ id }) => id),
              event.target.checked,
            )
          }
        />
      )}
      <button
        type="button"
        className={styles.fold}
        aria-expanded={!isFolded}
        aria-label={groupsText.fold(shownName)}
        onClick={() => onFold(name, !isFolded)}
      >
        <RightOutlined className={`${styles.chevron} ${isFolded ? '' : styles.open}`} aria-hidden />
      </button>
      <h2 className={styles.name}>
        {name === '' || !isWhole ? (
          <bdi>{shownName}</bdi>
        ) : (
          <InlineEdit value={name} label={groupsText.name} maxLength={MAX_NAME_LENGTH} onSave={rename} />
        )}
      </h2>
      <span className={styles.figures}>
        {groupsText.figures(devices.length, devices.filter(({ online }) => online).length)}
      </span>
    </header>
  );
}
