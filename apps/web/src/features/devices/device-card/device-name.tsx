import type { Device } from '@tongtu/contract';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { InlineEdit } from '../../../ui/fields/inline-edit.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { Marked } from '../search/marked.tsx';
import { useUpdateDevice } from '../use-devices.ts';

export function DeviceName({ device }: { device: Device }) {
  const toast = useToast();
  const update = useUpdateDevice();

  async function save(name: string): Promise<string | undefined> {
    try {
      await update.mutateAsync({ id: device.id, patch: { name } });
      toast.success(devicesText.renamed);
      return undefined;
    } catch (error) {
      return fieldErrors(error).name?.[0] ?? errorText(error);
    }
  }

  return (
    <InlineEdit
      value={device.name}
      shown={<Marked text={device.name} />}
      label={devicesText.name}
      maxLength={MAX_NAME_LENGTH}
      onSave={save}
    />
  );
}
