package io.frameloom.taskgraph.parts;

/** 128 bytes in front of the value. Bytes, because the JVM may move longer fields across classes. */
public abstract class PaddedLongHead {
    byte h00, h01, h02, h03, h04, h05, h06, h07, h08, h09, h0a, h0b, h0c, h0d, h0e, h0f;
    byte h10, h11, h12, h13, h14, h15, h16, h17, h18, h19, h1a, h1b, h1c, h1d, h1e, h1f;
    byte h20, h21, h22, h23, h24, h25, h26, h27, h28, h29, h2a, h2b, h2c, h2d, h2e, h2f;
    byte h30, h31, h32, h33, h34, h35, h36, h37, h38, h39, h3a, h3b, h3c, h3d, h3e, h3f;
    byte h40, h41, h42, h43, h44, h45, h46, h47, h48, h49, h4a, h4b, h4c, h4d, h4e, h4f;
    byte h50, h51, h52, h53, h54, h55, h56, h57, h58, h59, h5a, h5b, h5c, h5d, h5e, h5f;
    byte h60, h61, h62, h63, h64, h65, h66, h67, h68, h69, h6a, h6b, h6c, h6d, h6e, h6f;
    byte h70, h71, h72, h73, h74, h75, h76, h77, h78, h79, h7a, h7b, h7c, h7d, h7e, h7f;
}
