/** The part of the Shape Detection API that is used here; TypeScript's library does not have it. */
type Detector = { detect: (image: HTMLVideoElement) => Promise<{ rawValue: string }[]> };
type DetectorClass = new (options: { formats: string[] }) => Detector;

function detectorClass(): DetectorClass | undefined {
  return (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector; // undefined in browsers without it
}

/** Whether this browser reads QR codes from its camera. Cameras are for pages over HTTPS only. */
export function canScan(): boolean {
  // The type says that it always exists; on pages over plain HTTP it does not.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  return detectorClass() !== undefined && typeof devices?.getUserMedia === 'function';
}

export function createDetector(): Detector | undefined {
  const Class = detectorClass();
  return Class && new Class({ formats: ['qr_code'] });
}
