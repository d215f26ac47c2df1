/* The generator's figures of 26.1 as constant bytes of the program; read in base/figures.cpp. The path is relative to
   the project's root, which is an include folder of the build. */
    .section .rodata
    .global horizon_worldgen_figures
    .hidden horizon_worldgen_figures
    .global horizon_worldgen_figures_end
    .hidden horizon_worldgen_figures_end
    .balign 8
horizon_worldgen_figures:
    .incbin "shard/worldgen/figures/figures_26_1.bin"
horizon_worldgen_figures_end:
    .section .note.GNU-stack, "", %progbits
