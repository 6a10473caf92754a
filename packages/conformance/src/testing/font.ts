/** A font in WOFF2 whose one letter `a` is three times as wide as the font is high. */
export const font: Uint8Array = Buffer.from(
  `d09GMgABAAAAAAEAAAoAAAAAAkAAAAC3AAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAANAoYNgE2AiQDCAsGAAQgBT
   wHIBunAfgvCmy3Dq1D2Bij4IHF2TzE898v3bn//YRWx69w1Kb0ChXpMDrjaRLjyPhFJ+khB1LqC7OOdAv03wOuVfnx
   IT7EyhATYAMOS6LxRrXxm810MsBbDEZjDVCDHwDAABoKp0pwqhvQdcG43rAEQAMdQccM0AHpqb1mMgFBuDt718Hz/2
   a1gr/LcyFToDQQaljfs7Nk6yMEANBqxc4SQdMFNAAAdLcCIghoIkr6lmja0awvWJhYAAAAAA==`,
  'base64',
)
