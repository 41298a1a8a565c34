import type { Device, DevicePatch } from '@tongtu/contract';
import { useToast } from '../../../ui/use-toast.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { useUpdateDevice } from '../use-devices.ts';

/** Changes a device. `done` is a message for a change that is not obvious on the screen. */
export function useChangeDevice({ id }: Device) {
  const toast = useToast();
  const toastFailure = useFailureToast();
  const update = useUpdateDevice();
  async function change(patch: DevicePatch, done?: string): Promise<void> {
    try {
      await update.mutateAsync({ id, patch });
      if (done !== undefined) toast.success(done);
    } catch (error) {
      toastFailure(error);
    }
  }
  return { change, isChanging: update.isPending };
}
