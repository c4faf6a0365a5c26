package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.compile.DeclaredGraph.Mode;

/** The part of a pass's declaration that says what it reads and writes, other than as render targets. */
abstract sealed class PassAccesses permits PassRenderTargets {
    final PassUses uses;

    PassAccesses() {
        uses = new PassUses(self());
    }

    abstract PassBuilder self();

    /** Declares that the pass reads all of a texture. */
    public PassBuilder reads(RdgTexture texture, Access access) {
        uses.texture(texture, null, access, Mode.READ, -1);
        return self();
    }

    /** Declares that the pass reads a range of a texture. */
    public PassBuilder reads(RdgTexture texture, SubresourceRange range, Access access) {
        uses.texture(texture, range, access, Mode.READ, -1);
        return self();
    }

    /** Declares that the pass reads all of a buffer. */
    public PassBuilder reads(RdgBuffer buffer, Access access) {
        uses.buffer(buffer, 0, -1, access, Mode.READ, -1);
        return self();
    }

    /** Declares that the pass reads {@code bytes} bytes of a buffer from {@code offset} on. */
    public PassBuilder reads(RdgBuffer buffer, long offset, long bytes, Access access) {
        uses.buffer(buffer, offset, bytes, access, Mode.READ, -1);
        return self();
    }

    /** Declares that the pass writes into a texture and keeps what it does not write. */
    public PassBuilder writes(RdgTexture texture, Access access) {
        uses.texture(texture, null, access, Mode.WRITE, -1);
        return self();
    }

    /** Declares that the pass writes into a range of a texture and keeps what it does not write. */
    public PassBuilder writes(RdgTexture texture, SubresourceRange range, Access access) {
        uses.texture(texture, range, access, Mode.WRITE, -1);
        return self();
    }

    /** Declares that the pass writes into a buffer and keeps what it does not write. */
    public PassBuilder writes(RdgBuffer buffer, Access access) {
        uses.buffer(buffer, 0, -1, access, Mode.WRITE, -1);
        return self();
    }

    /** Declares that the pass writes into {@code bytes} bytes of a buffer and keeps what it does not write. */
    public PassBuilder writes(RdgBuffer buffer, long offset, long bytes, Access access) {
        uses.buffer(buffer, offset, bytes, access, Mode.WRITE, -1);
        return self();
    }

    /**
     * Declares that the pass writes into a texture at places where no other pass of {@code group} reads or writes: the
     * passes of a group need no order and no barrier among each other.
     */
    public PassBuilder writes(RdgTexture texture, Access access, OverlapGroup group) {
        uses.texture(texture, null, access, Mode.WRITE, group.number(self().graph()));
        return self();
    }

    /** Declares that the pass writes into a range of a texture where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgTexture texture, SubresourceRange range, Access access, OverlapGroup group) {
        uses.texture(texture, range, access, Mode.WRITE, group.number(self().graph()));
        return self();
    }

    /** Declares that the pass writes into a buffer at places where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgBuffer buffer, Access access, OverlapGroup group) {
        uses.buffer(buffer, 0, -1, access, Mode.WRITE, group.number(self().graph()));
        return self();
    }

    /** Declares that the pass writes into bytes of a buffer where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgBuffer buffer, long offset, long bytes, Access access, OverlapGroup group) {
        uses.buffer(buffer, offset, bytes, access, Mode.WRITE, group.number(self().graph()));
        return self();
    }

    /** Declares that the pass writes all of a texture; earlier writers are not needed. */
    public PassBuilder overwrites(RdgTexture texture, Access access) {
        uses.texture(texture, null, access, Mode.OVERWRITE, -1);
        return self();
    }

    /** Declares that the pass writes all of a range; earlier writers of it are not needed. */
    public PassBuilder overwrites(RdgTexture texture, SubresourceRange range, Access access) {
        uses.texture(texture, range, access, Mode.OVERWRITE, -1);
        return self();
    }

    /** Declares that the pass writes all of a buffer; earlier writers are not needed. */
    public PassBuilder overwrites(RdgBuffer buffer, Access access) {
        uses.buffer(buffer, 0, -1, access, Mode.OVERWRITE, -1);
        return self();
    }

    /** Declares that the pass writes all of {@code bytes} bytes of a buffer; earlier writers of them are not needed. */
    public PassBuilder overwrites(RdgBuffer buffer, long offset, long bytes, Access access) {
        uses.buffer(buffer, offset, bytes, access, Mode.OVERWRITE, -1);
        return self();
    }

    /** Declares that the pass reads the range of a view. */
    public PassBuilder reads(RdgTextureView view, Access access) {
        return reads(view.texture(), view.range(), access);
    }

    /** Declares that the pass reads the range of a view. */
    public PassBuilder reads(RdgBufferView view, Access access) {
        return reads(view.buffer(), view.offset(), view.bytes(), access);
    }

    /** Declares that the pass writes into the range of a view and keeps what it does not write. */
    public PassBuilder writes(RdgTextureView view, Access access) {
        return writes(view.texture(), view.range(), access);
    }

    /** Declares that the pass writes into the range of a view and keeps what it does not write. */
    public PassBuilder writes(RdgBufferView view, Access access) {
        return writes(view.buffer(), view.offset(), view.bytes(), access);
    }

    /** Declares that the pass writes all of the range of a view; earlier writers of it are not needed. */
    public PassBuilder overwrites(RdgTextureView view, Access access) {
        return overwrites(view.texture(), view.range(), access);
    }

    /** Declares that the pass writes all of the range of a view; earlier writers of it are not needed. */
    public PassBuilder overwrites(RdgBufferView view, Access access) {
        return overwrites(view.buffer(), view.offset(), view.bytes(), access);
    }
}
