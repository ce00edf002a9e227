//! The built-in network for two colours, which [`Network`](crate::learned::networks::Network) parses.
//!
//! `tuner learn` trained it. The options were Training { epochs: 20, batch: 64, rate: 0.003,
//! decay: 0.2, even: 0.05, seed: 1 }, on 64,793 groups. For 7,149 groups held out, it reported with
//! the base alone "loss 2.9124, first 0.139, correlation 0.197; with values 0.104", and with the
//! network "loss 1.6397, first 0.491, correlation 0.815; with values 0.672".
//!
//! All data came from games with --profile few and the weights 00000000a3eb373f. In the first three
//! data sets, the profile few had two colours, and the games were played with the network
//! 000000009d57c809, which had learned from the other sets. In the other sets, the profile had two
//! or three colours, and the games were played with the network 000000009f330bd1 for any number of
//! colours.
//!
//! * --columns 260 --width-of-beam 300, Sampling { every: 4, ahead: 3, survivors: 13, cut: 6 }:
//!   16,635 groups.
//! * --columns 260 --width-of-beam 100, the same sampling: 14,424 groups.
//! * --columns 250 --width-of-beam 100, Rollouts { every: 4, ahead: Ahead { columns: 12, width: 30
//!   }, survivors: 8, cut: 4 }: 11,376 groups.
//! * --columns 260 --width-of-beam 400, the same sampling: 22,357 groups.
//! * --columns 260 --width-of-beam 100, the same sampling: 22,267 groups.
//! * --columns 250 --width-of-beam 100, the same rollouts: 14,162 groups.

/// The network as text.
pub const TRAINED_TWO: &str = "HoufAsG_V;xZt6< :M%X`WXcgvvLIqfeW88I3'D!'XX#6o1   'dNOL$P&^t(zdG&-2 &zO:b j#  #7B,) p#$z|<=%[pky!7E!b 37'z4:RJ]<T!Ql32ft/Z(oE%K,m+VygE%X2QI!g ' *HJ8$,yy(z%Xkx(t(zv]jyd,VrkbULDw-DENbK#hi:{T4;[-n6 %%jdg!V_1U1Aeb7`Kq<t`B$UYZ.`K[dUyf'gGXJWNxG+i*73G72bXDi6l[Gd7wOV^S,]0[%f@0rN,I7J fo$b)rJ%{8$8xdzRbVs10ix >Ay*P.w#t=|oX8;M-44.J$eGik.:?Q$Ol#x#='$&~%g$Z$!$tOBj|Rr'0D]V{,rlw@;]s:JYpB`!P8[O_Mt%keQ!,*/xANH-we4e*!Q&1;.n~B{ q&2.65oO4Ov'tlkYLyxR^ZPoc TK9xtNjQaFO<3p*y$M|(E.; 1-9)V'E@rZEOQcv;rgE,{je) (P9S7@?7#BBy#%7|OG!S7$)( pR9)]&)d/NXCyoS<4Nz0$,s%4@/*X2ubZg6J8dOj,l&qo$^AW!:HJY_RMYD5(=;%;Jq%L0u8d&!b|T (ZhM#I5Ju(58Z42==m-<Urf[!z&RSD.)`HsuE5S51&5NRwc$ua' O@7I8N):mjcyfxwQ;Uoj.}Aa&^POrA9#<4BD!jW2mUD%M7BiWL5[d:7U!+#|WcIm%hdp0JR;uoZA.%)9j,UGXarP9VL8VTOYEiHa8@r|L,-k*c#?=P,Oi8:=Vw5c8JpGTk$Fx$[&7`/I3</iL+ L!0G!( x%X;k:c1DL5fwX:wy=TE^%W+VC?r2,onGF [cXVQY<BxsC!ZB`crug^^#Nd72]tTpCVhRM%Q&7Db $7t0Jy(z$z#mj:amAT2L HA-+42a:B'E+]k=sUk,^$LCJ=I)o`2 r>%7oPI.l`jPPN}Wpy[1dWYn1.$B`n9?9:]kau$)fmut,%<T#)b(ym19Gowjn:AcY&'aqVv0ue7F,1S*_<`$sVc(.=Q7*Px9msG0]d?2WR?.B%(0Te&YUu~>;<_[B9>>OEQ]c':?x#BV*XJ/!v&x(z7NxO!P_<<y;v*O$b$H1Ki!J ";
