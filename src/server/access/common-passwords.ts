/*
 * The most used passwords, in the order of use, from the list of @zxcvbn-ts/language-common 4.1.3 (MIT), without vulgar
 * ones; then common Spanish ones, without accents. Pieces of up to four characters are weak anyway and not listed.
 */
const mostUsed = `
  123456 password 12345678 qwerty 123456789 12345 1234567 dragon 123123 baseball abc123 football monkey
  letmein shadow master michael mustang qwertyuiop 123321 1234567890 superman 1qaz2wsx jordan qazwsx jennifer
  123qwe trustno1 hunter harley zxcvbnm asdfgh buster andrew batman soccer tigger charlie robert sunshine
  thomas iloveyou ranger daniel hockey george computer michelle jessica starwars pepper klaster 112233 zxcvbn
  freedom princess joshua maggie ginger 131313 amanda ashley cheese 159753 nicole summer matthew chelsea
  dallas matrix william yankees taylor corvette austin access martin heather thunder merlin secret diamond
  hello anthony hammer 1234qwer silver justin patrick richard bailey internet samantha golfer scooter orange
  cookie q1w2e3r4t5 maverick jackson sparky mickey phoenix snoopy guitar whatever chicken morgan andrea camaro
  mercedes peanut ferrari cowboy falcon welcome samsung steelers joseph smokey dakota melissa arsenal boomer
  eagles tigers marina nascar gateway porsche yellow monster spider diablo hannah bulldog junior london purple
  compaq lakers iceman qwer1234 cowboys money banana ncc1701 boston brandon tennis johnny miller q1w2e3r4
  coffee scooby 123654 edward nikita mother yamaha brandy barney chester oliver charles player knight forever
  steven rangers midnight chicago redsox victoria angel please fender chris jasper james slayer rabbit natasha
  rachel marine wizard marlboro raiders prince casper fishing flower crystal jasmine adidas winner winter
  gandalf password1 enter ghbdtn 1q2w3e4r angela golden lauren cocacola jordan23 winston madison panther
  shannon sophie johnson asdfasdf david thx1138 toyota tiger murphy canada danielle 12344321 8675309 jonathan
  liverpoo muffin cooper apples jackie dennis black qwerty123 passw0rd abcd1234 sandra pokemon 123abc slipknot
  carlos qazxsw 123456a scorpion qwaszx nathan startrek rainbow asdfghjkl redskins newyork gemini cameron
  qazwsxedc florida liverpool turtle nicholas viking wilson sierra doctor rocket 159357 victor dolphins
  captain bandit jaguar packers peaches 789456 dolphin helpme tucker tiffany maxwell jeremy qwertyui debbie
  albert monica united giants nirvana metallic rosebud mountain benjamin warrior elephant success bond007
  bonnie alexis lucky jason scorpio samson q1w2e3 rush2112 azerty freddy driver willie calvin 1q2w3e4r5t
  sydney gators dexter red123 12345a 123456q bubba creative voodoo happy arthur trouble america nissan gunner
  rebecca stella garfield gordon jessie parker asdfghjk apollo 1qazxsw2 eminem december legend airborne beavis
  august apple brooklyn godzilla skippy buddy 4815162342 qwert kitten magic shelby phantom nothing asdasd
  williams xavier braves darkness blink182 travis copper tomcat platinum qweqwe 01012011 bigboy green power
  102030 animal police 11223344 online voyager lifehack 12qwaszx sniper 315475 trinity walter blazer heaven
  snowball bubbles loveme cricket marvin willow donkey topgun nintendo saturn family november gabriel destiny
  pakistan pumpkin digital sergey chance explorer redwings private therock runner 789456123 lasvegas guinness
  beatles
`

/** Long ones that are not made of shorter ones. */
const mostUsedLong = `
  123qweasdzxc 1qaz2wsx3edc q1w2e3r4t5y6 1q2w3e4r5t6y qazwsxedcrfv leavemealone 123456654321 zxcasdqwe123
  qwerasdfzxcv qweasdzxc123 123456789987654321 112233445566 finalfantasy 1qaz2wsx3edc4rfv unbelievable
  administrator needforspeed 123456789123 supernatural professional qazwsxedcrfvtgb 123456789012 counterstrike
  zaq1xsw2cde3 intelligence qazxswedcvfr qwertyasdfgh 12345678900987654321 010203040506 102030405060
  iseedeadpeople transformers qwertyytrewq jamesbond007 1234qwerasdf international q1w2e3r4t5y6u7 1qa2ws3ed4rf
  12345678987654321 playstation3 q1w2e3r4t5y6u7i8 1qazxsw23edcvfr4 12qw34er56ty christopher1 159753456852
  philadelphia ingodwetrust minecraft123 qawsedrftgyh 123321qweewq residentevil 012345678910 temppassword
  nightcrawler ticketmaster stratocaster 123456789101 1a2s3d4f5g6h
`

const mostUsedSpanish = `
  contrasena clave secreto usuario administrador admin portafolio portfolio tintero teamo tequiero teamomucho
  holamundo bienvenido argentina espana mexico colombia barcelona realmadrid bocajuniors riverplate chocolate
  princesa estrella alejandro sebastian
`

/** Lower-case passwords and words that anybody would try first. */
export const commonPasswords: ReadonlySet<string> = new Set(
  [mostUsed, mostUsedLong, mostUsedSpanish].join(' ').trim().split(/\s+/),
)
