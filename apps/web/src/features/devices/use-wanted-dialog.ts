import type { Device } from '@tongtu/contract';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { DeviceDialog } from './device-dialog.ts';
import { mappingName } from './mapping-address.ts';

type OnOpen = (dialog: DeviceDialog) => void;

/** Removes a parameter from the URL. Its dialog opens only after that, because Back would otherwise open it again. */
function useTakenParameter(name: string): string | undefined {
  const [search, setSearch] = useSearchParams();
  const [taken, setTaken] = useState<string>();
  const value = search.get(name);
  if (value !== null && value !== taken) setTaken(value);
  useEffect(() => {
    if (value === null) return;
    setSearch(
      (query) => {
        query.delete(name);
        return query;
      },
      { replace: true },
    );
  }, [name, value, setSearch]);
  return value === null ? taken : undefined;
}

/** `?domain=…&check=1`: opens the connection test of that mapping once. */
export function useWantedTest(devices: readonly Device[] | undefined, onOpen: OnOpen): void {
  const [search] = useSearchParams();
  const domain = search.get('domain');
  const isWanted = useTakenParameter('check') === '1' && devices !== undefined;
  const openTest = useEffectEvent(() => {
    for (const device of devices ?? []) {
      const mapping = device.mappings.find((each) => mappingName(each) === domain);
      if (mapping) onOpen({ type: 'test', device, mapping });
    }
  });
  useEffect(() => {
    if (isWanted) openTest();
  }, [isWanted]);
}

/** `?domain=…&diagnose=1`: opens the diagnosis of the device with that id once, as in a message about an offline device. */
export function useWantedDiagnosis(devices: readonly Device[] | undefined, onOpen: OnOpen): void {
  const [search] = useSearchParams();
  const uid = search.get('domain');
  const isWanted = useTakenParameter('diagnose') === '1' && devices !== undefined;
  const openDiagnosis = useEffectEvent(() => {
    const device = devices?.find((each) => each.uid === uid);
    if (device) onOpen({ type: 'diagnosis', device });
  });
  useEffect(() => {
    if (isWanted) openDiagnosis();
  }, [isWanted]);
}

/** `?bind=…`: opens the dialog that adds the device of this link once. */
export function useWantedBinding(onOpen: OnOpen): void {
  const code = useTakenParameter('bind');
  useEffect(() => {
    if (code !== undefined) onOpen({ type: 'bind-device', code });
  }, [code, onOpen]);
}

/** `?add=1`: opens 添加设备, each time that a link or the command palette asks for it. */
export function useWantedAddition(onOpen: OnOpen): void {
  const [search, setSearch] = useSearchParams();
  const isWanted = search.has('add');
  const isOpening = useRef(false);
  const open = useEffectEvent(() => onOpen({ type: 'add-device' }));
  useEffect(() => {
    if (!isWanted) {
      // The address has no parameter any more, so Back closes the dialog.
      if (isOpening.current) open();
      isOpening.current = false;
      return;
    }
    isOpening.current = true;
    setSearch(
      (query) => {
        query.delete('add');
        return query;
      },
      { replace: true },
    );
  }, [isWanted, setSearch]);
}
