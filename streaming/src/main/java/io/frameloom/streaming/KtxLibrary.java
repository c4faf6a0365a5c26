package io.frameloom.streaming;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.ktx.KTX;

/** Unpacks and transcodes by Khronos' library, one level at a time. Any thread. */
final class KtxLibrary {
    private KtxLibrary() {}

    /**
     * The library fills its tables at the first transcoding, without a lock. So that one happens while this class is
     * initialised, which one thread does and the others wait for.
     */
    private static final class Tables {
        static {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                PointerBuffer made = stack.mallocPointer(1);
                ByteBuffer file = Ktx2Header.oneBlock(stack.calloc(16, Ktx2Header.ONE_BLOCK_BYTES));
                if (KTX.ktxTexture2_CreateFromMemory(file, KTX.KTX_TEXTURE_CREATE_LOAD_IMAGE_DATA_BIT, made)
                        == KTX.KTX_SUCCESS) {
                    // What the block shows does not matter.
                    KTX.nktxTexture2_TranscodeBasis(made.get(0), KTX.KTX_TTF_RGBA32, 0);
                    KTX.nktxTexture2_Destroy(made.get(0));
                }
            }
        }

        private Tables() {}

        static int transcode(long texture, int target) {
            return KTX.nktxTexture2_TranscodeBasis(texture, target, 0);
        }
    }

    /** Returns the texels of a level, {@code bytes} of them. */
    static ByteBuffer unpack(Ktx2Header header, int level, @Nullable Transcoding target, int bytes) {
        String place = "level " + level;
        ByteBuffer alone = MemoryUtil.memCalloc(header.aloneBytes(level));
        long texture = 0;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            header.writeAlone(level, alone);
            PointerBuffer made = stack.mallocPointer(1);
            require(
                    header,
                    place,
                    KTX.ktxTexture2_CreateFromMemory(alone, KTX.KTX_TEXTURE_CREATE_LOAD_IMAGE_DATA_BIT, made));
            texture = made.get(0);
            if (target != null) {
                require(header, place, Tables.transcode(texture, target.code()));
            }
            long data = KTX.nktxTexture_GetData(texture);
            long length = KTX.nktxTexture_GetDataSize(texture);
            if (data == 0 || length != bytes) {
                throw Ktx2Header.bad(header.path(), place, "it unpacks to " + length + " bytes, not " + bytes);
            }
            ByteBuffer texels = ByteBuffer.allocate(bytes);
            texels.put(MemoryUtil.memByteBuffer(data, bytes)).flip();
            return texels;
        } finally {
            if (texture != 0) {
                KTX.nktxTexture2_Destroy(texture);
            }
            MemoryUtil.memFree(alone);
        }
    }

    private static void require(Ktx2Header header, String place, int result) {
        if (result != KTX.KTX_SUCCESS) {
            throw Ktx2Header.bad(
                    header.path(), place, "it is damaged: " + KTX.ktxErrorString(result) + " (" + result + ")");
        }
    }
}
