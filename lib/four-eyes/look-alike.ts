import type { Actor } from '../shared/actor.ts';
import { folded } from '../shared/actor.ts';

/** A letter of one of two names that looks like letters of the other. */
type LookAlike = {
  /** The person in whose name it stands. */
  readonly person: string;
  readonly letter: string;
  readonly looksLike: string;
};

/**
 * Finds the letters by which two names of people differ, and look the same: of `jane` and `j\u0430ne`, the Cyrillic
 * letter. Empty where the names are one, where they look different, and where somebody is not named.
 */
export function lookAlikesIn(
  { person: one }: Actor,
  other: Actor | undefined,
): readonly LookAlike[] {
  const two = other?.person;
  if (one === undefined || two === undefined || folded(one) === folded(two)) return [];
  // The capital of i looks like l, which i itself does not.
  const looksSame = drawn(one) === drawn(two);
  if (!looksSame && drawn(folded(one)) !== drawn(folded(two))) return [];
  const placesOf = (person: string): readonly InText[] =>
    placed(person, looksSame ? (letter) => letter : folded);
  const [ofOne, ofTwo] = [placesOf(one), placesOf(two)];
  return [...unlike(one, ofOne, ofTwo), ...unlike(two, ofTwo, ofOne)];
}

/** A letter of a name, and how much of what is seen of the name stands before it. */
type InText = { readonly letter: string; readonly before: number };

function placed(person: string, formOf: (letter: string) => string): readonly InText[] {
  let before = 0;
  return Array.from(person.normalize('NFKC'), (letter) => {
    const one = { letter, before };
    before += drawn(formOf(letter)).length;
    return one;
  });
}

/** The letters of a name in whose place the other name, which looks the same, has others. */
function unlike(
  person: string,
  its: readonly InText[],
  others: readonly InText[],
): readonly LookAlike[] {
  const keyOf = ({ letter, before }: InText): string => `${before} ${folded(letter)}`;
  const same = new Set(others.map(keyOf));
  const letters = its.flatMap((one) => (same.has(keyOf(one)) ? [] : one.letter));
  return [...new Set(letters)].flatMap((letter) => {
    const looksLike = DRAWN.get(letter);
    return looksLike === undefined ? [] : [{ person, letter, looksLike }];
  });
}

/** A name by what is seen of it: two that look the same are the same text. Source: Unicode UTS #39, 4, `skeleton`. */
function drawn(person: string): string {
  const letters = Array.from(person.normalize('NFKC'), (letter) => DRAWN.get(letter) ?? letter);
  return letters.join('').replaceAll(/\s/g, '').normalize('NFD');
}

/**
 * Letters and marks that look like others of ASCII: those, and then the code point of each in hexadecimal digits.
 * They are those of Unicode 18.0, `confusables.txt` (© Unicode, Inc., https://www.unicode.org/license.txt), that
 * NFKC does not make ASCII.
 */
const LOOK_ALIKES = `
'=60,2b9,2bb,2bc,2bd,2be,2c8,2ca,2cb,2f4,55a,55b,55d,5d9,5f3,7f4,7f5,144a,16cc,2018,2019,201b,2032
'=2035,2cff,a78b,a78c,16f51,16f52,1e94b
''=22,2ba,2ee,2f6,5f2,5f4,1cd3,201c,201d,201f,3003
'B=181
'D=18a
'P=1a4
'T=1ac
'Y=1b3
+=1429,1540,16ed,2795,1029b,11055,16869,1e6e9
-=2d7,6d4,174d,1bf3,2010,2012,2013,2043,2212,2796,2cba,2cbb,aa7d,10191
-.=a4fe
.=660,6f0,701,702,a4f8,a60e,abec,10a50,1d16d,1ecae
..=a4fa
2=1a7,3e8,10c7,14bf,1616,1cb7,a644,a6ef,a75a
3=1b7,21c,417,4e0,545,969,ae9,1702,1c95,2c9c,2cc4,2ccc,a76a,a7ab,118ca,16f3b,1d206
4=13ce,ab9e,118af,16e82
5=1bc,118bb
6=3ec,431,13ee,2cd2,2cd3,2cdc,a543,abbe,118d5
7=172a,1c84,104d2,118c6,16e8a,1d1fe,1d212
8=222,223,9ea,a6a,b03,a589,1031a,11445,169fe,1e8cb
9=9ed,a67,b68,d6d,2cca,2ccb,a76e,a76f,118ac,118cc,118d6,169c1,1e2f2
A=391,410,13aa,15c5,a4ee,102a0,16f40,1df6a
AA=a732
AE=c6,4d4
AO=a734
AR=1f707
AU=a736
AV=a738,a73a
AY=a73c
B=392,412,13f4,15f7,2c82,a4d0,a557,a7b4,10282,102a1,10301
C=421,13df,2ca4,a4da,102a2,10302,10415,1051b,118e9,118f2,1f74c
C'=187
D=13a0,15de,15ea,a4d3
E=395,415,13ac,22ff,2d39,a4f0,a5cb,10286,118a6,118ae,1df81
F=3dc,7d3,15b4,a4dd,a798,10287,102a5,10525,118a2,118c2,1d213
G=50c,13c0,13f3,a4d6
G'=193
H=397,41d,13bb,157c,2c8e,a4e7,102cf
J=37f,408,13ab,148d,a4d9,a7b2
K=39a,41a,13e6,16d5,2c94,a4d7,10518
K'=198
L=13de,14aa,2cd0,a4e1,1041b,10526,118a3,118b2,16f16,1d22a
M=39c,3fa,41c,13b7,15f0,16d6,2c98,a4df,102b0,10311,10c21
MB=1f76b
N=39d,2c9a,a4e0,10513,11abe
O=30,39f,41e,555,7c0,b20,ce6,12d0,1cbf,2c9e,2d54,3007,a4f3,10292,102ab,1030f,10404,104c2,10516
O=10c17,118b5,118e0,11de0,16ae9,1e140,1e2f0
OE=152
OO=a698,a74e
Oy=478
P=3a1,420,13e2,146d,2ca2,2cce,a4d1,10295
P'=1486
Q=51a,2d55
QE=1f700
R=1a6,24c,13a1,13d2,1587,a4e3,104b4,16f35,1d216
S=405,54f,10bd,10fd,13d5,13da,1cbd,a4e2,a576,10296,10420,16ad6,16f3a
T=3a4,422,7e0,13a2,22a4,27d9,2ca6,3112,4e05,a4d4,a50b,10297,102b1,10315,118bc,16f0a,1d373,1f768
T3=a728
U=54d,1200,144c,222a,22c3,a4f4,104ce,118b8,16f42
U'=1467
V=474,667,6f7,13d9,142f,2d38,a4e6,a6df,1051d,10c1f,118a0,16f08,1cefc,1d20d,1e145
VB=1f76c
W=51c,13b3,13d4,a4ea,118e6,118ef,1d20c
X=3a7,425,166d,16b7,1cf5,2573,2cac,2d5d,a4eb,a7b3,10290,102b4,10317,10322,10527,10c13,10c82,10cfc
X=118ec
Y=3a5,423,4ae,7cc,13a9,13bd,2ca8,311a,4e2b,a4ec,102b2,10c20,118a4,16f43
Z=396,10cd,13c3,2c6b,2c8c,a4dc,a6c9,102f5,10507,118a9,118e5,11abc
_=640,7fa,145c1
a=251,3b1,430,237a,ab64,1df5a
aa=a733
ae=e6,4d5
ao=a735
au=a737
av=a739,a73b
ay=a73d
b=184,42c,7d5,13cf,1472,15af,1031c,16eb6,1d207
b'=1488
bl=42b
c=441,1004,105a,1c83,1d04,2ca5,abaf,1043d,1d134
co=ab43
d=501,13e7,146f,a4d2,1018b
d'=1487
dz=2a3
e=435,4bd,212e,ab32
f=192,284,584,1e9d,a799,ab35,1017e
g=18d,261,581,1d83
h=4ba,4bb,570,10b9,13c2
i=a1,131,269,26a,3b9,456,582,13a5,2373,2c93,a647,ab75,118c3
ie=1df5d
j=237,3f3,458,575
l=31,49,7c,196,1c0,399,406,4c0,4cf,5c0,5d5,5df,627,661,6f1,7ca,964,104a,16c1,16d0,21bf,2223,23fd
l=2502,2503,2c92,2d4a,2d4f,a4f2,a56f,a781,a7ae,a7fe,a830,a8ce,aa5d,1028a,10309,10320,1050e,10926
l=10c3e,10ca5,10cfa,11047,110c0,11141,111c5,113d4,1144b,115c5,11641,11c41,11dda,11de1,16d63,16eaa
l=16f28,1d100,1d377,1e141,1e8c7,1ed01
l'=5f1
lL=1efa
lO=42e
ll=1c1,5f0,965,104b,2016,2225,a8cf,11048,110c1,11142,111c6,113d5,1144c,11642,11c42,1d262
lll=a516
ls=2aa
lt=20b6
lz=2ab
n=578,57c
o=3bf,3c3,3ed,43e,585,5e1,647,665,6be,6c1,6d5,6f5,7cb,840,966,9e6,a66,ae6,b66,be6,c02,c66,c82,d02
o=d20,d66,d82,e50,ed0,101d,1040,10ff,110b,11bc,17e0,1a45,1a80,1a90,1bea,1c82,1d0f,1d11,2c9f,ab3d
o=1042c,104ea,1092c,10d07,11124,11302,114d0,118c8,118d7
oe=153
oi=1df5e
oo=1147,11ee,221e,a699,a74f
ou=1df5f
oy=479
p=fe,1bf,3c1,3f8,440,2374,2ca3,2ccf
q=51b,563,566
r=433,1d26,2c85,ab47,ab48,ab81,16a19
r'=491
rn=6d,560,11700,118e3
s=1bd,455,d1f,a731,abaa,10448,118c1
sss=1f75c
tf=a777
th=1df64
ts=2a6
u=28b,3c5,57d,1d1c,a79f,ab4e,ab52,104f6,118d8
ue=1d6b
uo=ab63
v=3bd,475,5d8,1d20,2228,22c1,aba9,11706,118c0
w=26f,448,461,51d,561,1d21,29e2,2cbd,a7fa,ab83,aba4,1170a,1170e,1170f,1df7d
wh=1df65
x=d7,445,1541,157d,166e,1763,1bec,292b,292c,2a2f,10cc2
y=263,28f,3b3,443,4af,10e7,1d8c,1eff,2ca9,ab5a,118c4,118dc
z=1d22,2c6c,2c8d,2d2d,ab93
`;

const DRAWN: ReadonlyMap<string, string> = new Map(
  LOOK_ALIKES.trim()
    .split('\n')
    .flatMap((line) => {
      const [looksLike = '', codes = ''] = line.split('=');
      return codes
        .split(',')
        .map((code) => [String.fromCodePoint(parseInt(code, 16)), looksLike] as const);
    }),
);
