//! The built-in network for any number of colours, which [`Network`](crate::learned::networks::Network)
//! parses.
//!
//! `tuner learn` trained it, and refinement by games improved it (docs/experiments/columns.md,
//! "Refined by playing").
//!
//! The options of the training were Training { epochs: 20, batch: 64, rate: 0.003, decay: 0.1,
//! even: 0.05, seed: 1 }, on about 111,000 groups. On about 12,000 held-out groups, `tuner learn` reported
//! for the trained network "loss 1.7649, first 0.481, correlation 0.785; with values 0.590".
//! Before the refinement, the network was the best of six in play (docs/experiments/columns.md, "A
//! network of both kinds of groups"). All states came from games with an earlier network, which had
//! learned from rollouts:
//!
//! * With --every 4 --ahead 3, about 61,000 groups: --profile default --columns 280
//!   --width-of-beam 800 --seeds 5001..=5260, and --columns 260 --width-of-beam 500 --seeds
//!   3001..=3550; --profile many --columns 260 --width-of-beam 400 --seeds 3601..=3720; --profile
//!   few with the same options, --seeds 3801..=3880.
//! * With --columns 250 --width-of-beam 100 --rollouts 12,30, about 62,000 groups: --profile
//!   default --seeds 10001..=10500 and about 200 seeds from 15001 on; large 11001..=11080; many
//!   12001..=12080; few 13001..=13040; growing 14001..=14080.
//!
//! Refinement: 16 generations of 600 pairs of games with a noise of 0.4 matches and a rate of 80,
//! then 41 generations with a noise of 0.5 and a rate of 40. The network is the mean of the last 15
//! generations. The cases were drawn from all sizes, 3 to 8 colours or growing palettes, 0.5 to 3 %
//! magic columns, 250 columns, and beam widths of 40 to 80. On the seeds 600000..=601499 with
//! --columns 250 --nodes 75000, and without the two-colour network, it scores 0.77 % more (0.28 to
//! 1.26 %, by log score) than before the refinement.

/// The network as text.
pub const TRAINED: &str = "KpzDtw`xR#d0gjziTlkPD6<=Z[.S.*d6 Y{?fO)f8=14 n&tm*?Y!y}fm/t.H4'z(z:7+]$MVpD]aQ1VOn)v<UDK@I!E,fRw.:c<$o*o'=#_b*eQ nH9X;5G'7n<l[,f9[TA&9%ebXW;F-h#X<J#6oG#(,C7)#0%;)vfX)RZs,Ex(z$Mz#+7b c E!F!c B SRrYy&hyQL~#gMGd#M)/j5O/jM}x`&bU&!t7A7A_L<_xY>#MJ0&$O7M=VXyRm.iy(z%X_y[mK.o0pY4OW!}^B=p-k%RQ65zmP_-uP<N3rU=4R<F?(dw<b<j+n%)1h sxF/a%QEzG@f^7JW1G{D+IB%-#3GV,1lra2,JUL!tS{u(Vn'v8/%<MEeF(0bbZsH%1f2u2;M' T%U,*1pORQ)Y3_)R4#m'~ qZ f]:y*_?Nfr34LL,6,>8G3x3X.y.2,2,@2EC#Mi]LB9oIi0Of>bC:o8Y+OzMqL8BSD{_k%Eap+p nO7/m.&6;$j_EZhR;uDL;spC:9v  %;Rjl3-LFU9}<wyE0L931{*3k8R51P6-O$jcsEfmu^YiJ:YTG.hBcQ/*'VOSg=3.*z0e*= W&w(K?8NS&A <:P[w2u#V<%35%gf?XF,>PP5j7B;c7Lg*V=Sj%f+Cof,V26-81hMFsgwA_8M^Gsb!@#:w(vnZ@IJ-&=u@[}E,`OP}-Mi6R{Wt$P+FMrd_9M_l&{x~<v&*Xn2?fg_1OzbI*<hnOq0jR!m'g;G3s(%y.MbA1TRk[ta>w&VdGzX{9wyvfW+,q5gs@YnTj0Z_-BWZ.]kN#cv9e%KBm(jX)l$pPzG']kxKZ{$p77S_T[a9$X!lA-^#u-JR,1`Lp@x.7^vWv+'SF;M<iN_ALd:J j9z+n$XxqjM +%B^TO2`y1!g8cn5#4oA$:j'#)mP(HIo.UjcW0tYjM,&?#(55%:Zk;@a3%+`,_s&I)/-(zUy'#Qgedi#*O#+g2k,H6xi$D'Pw0AJJ#mc%$/d21cy!7j,%Yj$-9I1rq~u3DM?E/3Q[T^B:%Uq|'t1WZb hpMy8ap8;;}EF!%zv& &>w8 H.._Fp]Iq=%oY.>N8$qOvGlk>E|+NU]sNc^=%]q(gdO9TaC-*,r_MF+oVd,T<ml^3,G<`/AV42IJ{LkSNXU#,#p&sv_C#UJTgX:rD#dL&lD$87G/* QT4O^Zu!$:NUypI&F[Z<W@&.A:1:9PJ7Fw/3:8H3PGJCbo*^R3*kNoV?3n'=GMboAZaG$&]c$.lyo'<2@?k@4o[,<d{+v V!LN_8IWUnBXI.c;7/o:3Tzx[Js&~R#R#KS,[o.=+X02$ 9)-11$!sXLb[Ly@>}&:]>Jkf?0xQhSDwHODg[O7fm64 ,.0Vjf>HMuv<l4)+(dRkpu+ctGJft[fS-&M@iR$7QLA#eZgR|JDqRy9r1MS7OIN&-N)jFkKVM^|_YQc,tMHNPL7<L yjkK-)?%)CVPJL;eHS<-$#^Q#/(MwSP&zJ]Vz<8R41ROw;Z<z5[Szc}'>*_;51WM?_p770Ho7ZDQ^ekyT74#e5fMLo6JHdANR!!*.ysH)SKN/$Cxp&%de.4oRwJ.:'tZLo8OzbTLllfisokR@vi9<'~#G s=Q<L<YuqlOe6n@q^tqF{tL:hK1XE,I8Fs%u|!EmBvXd:nL0Tu-vf$D9~)Tb>#yNI-'7JTX3dx8]$1=9Jd-f4rRwHQodJT5:0bDsmv/7H'=9&/IAW57)#z'`O@0#pEQ^}2%<`M&9Bw:%RaUb!mUks55$6vk9oSJs0MRMA@-?Pgj9L]AQ?!2wAf0EAPpO %DW'z96:]15 g0],s?SFhQrc7VRpGg,zR>JhZjR42dh~0vh}9w=$t`Hg*)e|kTtuerjKc@.7^.Rv_*q=3JTtOZr32jMJu`mnU!;)9hE';>CmT.x|V60u8 MO/Jy?3rlp;uP9[],~T5B#W4/-oi9Nn%3hf:Mv[d,j,imB-g'ej+[T-#/*9%,yd>eDQ:]aA3_llc,Kj&(5ywc-MWHi3tiSTnNFP&_NN1O0U;0VGnGY h7D:/(0bLsc<9,)gJ]Q<>coRRFEWp`n) x{Y8N7yM=),1o&D)m1&:'hP7IAX8c&z,BG4_N1bpy'>(oKd{uyp6$vy(WNEsX{/$,*XW7W7|S}6tgPBqX:H(zvkPC.yg1}?{whHL,-7)(oZ(zYTb7x=Gts@'vMc9!94Q F=Hy8 68ZT<lf4yT.2Elp10*p;'?qe/[,:Ny#wLO>yM(yQomr3WFYjRZ5gH$Baf#wF=w{T5OKeR0qKjEokYb!l$p{;'75vwFnbg7A - v<v#u7>]6t;u[B[GwRb1qQ8+I 3n/_,X&vrTa2xMj:4DbkitYcsSOfY@R_M.mOZ4#l@xYRkGh,ufhf^rl!>$q0+Ei.WMYeOR&#HZ9GrA5Fr[:$g(P8` /Z[*$!+V$CTGLkMuS5h<7/]$HcNy ]?.akc^LX9s.#mYMs*c%7]*[yE1V-gi`V)(9'(dvyF&w$Y<MreXy#8.wE+_xu:+&vu=J_H#{>f 5=^Z?M4oab!(Vsn?cawF]7a7G;{ur+@AY9!Zv;zyWtk:iV@e*,dF74coz9+c7&RMDRw'hb<;lYXP=47%GG}E jny.${TPrn5=bA^=tJN*k7l=>mj4/X]A60n(gv^ErOqY4uiu4r;Hh$Jd/U !O7u et&OUF)*g7S+Y2rZR|*)mbte/!jz:QPT7dg_%q#YoGZp.'Xui?(bmN%2_{I&d7uP;43XHh#}g;).vF y.38>#L]za;ZM9dxYTr&  xRW2Wf4=t fWPfPP>9pO2Odb;1D#6:GYxZ0OxCJqA -frOVLhlwxaVjszbL&d5:qZ8#<T]IQ8FKEmEMXeA2gGQr8=9gtm#YYgGmHwUS[lHifb,)Q-9Ha99`@=&~@W'cX~&oZ-3Q%.0IE$X2U- Q^hH,'wiffxFZWP'GpwNR$e<(Co#%ze0G86omfPq{NhfLOE-Qf&=f wy3:Butn%']NaC8';,{rLCI&K2aUh ?;T)U+G=<.Q'-ho3CXK7+CD@,RIy3!";
