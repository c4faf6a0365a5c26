package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.vulkan.driver.CrashCalls;
import java.nio.IntBuffer;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCheckpointData2NV;
import org.lwjgl.vulkan.VkQueue;

/**
 * The checkpoints that a queue of a lost device has passed: for each stage the last one. The first stage of the
 * pipeline has then read all commands before it, and the last stage has done them.
 */
final class Checkpoints implements PassTrail.Reader {
    /** Nothing is known. */
    static final PassTrail.Reader UNKNOWN = (list, mark, end) -> PassTrail.Passed.UNKNOWN;

    private static final long DONE =
            VK13.VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT | VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    /** More than the stages of a pipeline. */
    private static final int MOST = 64;

    private static final int NONE = -1;

    private final List<PassTrail> lists;
    private boolean known;
    /** The farthest list that any stage has come to, and the mark in it. */
    private int begunList = NONE;

    private int begunMark;
    /** The list that the last stage has come to, and the mark in it. */
    private int endedList = NONE;

    private int endedMark;
    private boolean endKnown;

    private Checkpoints(List<PassTrail> lists) {
        this.lists = lists;
    }

    /**
     * Asks the driver.
     *
     * @param lists lists under way on the queue, in order
     */
    static PassTrail.Reader read(CrashCalls calls, VkQueue queue, List<PassTrail> lists) {
        Checkpoints read = new Checkpoints(lists);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            IntBuffer count = stack.ints(0);
            calls.checkpoints(queue, count, null);
            int there = Math.max(0, Math.min(MOST, count.get(0)));
            VkCheckpointData2NV.Buffer data = VkCheckpointData2NV.calloc(Math.max(1, there), stack);
            data.forEach(VkCheckpointData2NV::sType$Default);
            if (there > 0) {
                count.put(0, there);
                calls.checkpoints(queue, count, data);
            }
            for (int i = 0; i < Math.min(there, count.get(0)); i++) {
                read.take(data.get(i).stage(), data.get(i).pCheckpointMarker());
            }
        }
        return read;
    }

    private void take(long stage, long marker) {
        known = true;
        int list = lists.size() - 1;
        while (list >= 0 && !isOf(lists.get(list), marker)) {
            list--;
        }
        // One of a list that is done says that nothing of these is.
        int mark = list < 0 ? 0 : (int) (marker - lists.get(list).first());
        if (list > begunList || list == begunList && mark > begunMark) {
            begunList = list;
            begunMark = mark;
        }
        if ((stage & DONE) != 0) {
            endKnown = true;
            endedList = list;
            endedMark = mark;
        }
    }

    private static boolean isOf(PassTrail list, long marker) {
        return marker >= list.first() && marker <= list.first() + list.last();
    }

    @Override
    public PassTrail.Passed passed(int list, int mark, boolean end) {
        if (!known || end && !endKnown) {
            return PassTrail.Passed.UNKNOWN;
        }
        int lastList = end ? endedList : begunList;
        int lastMark = end ? endedMark : begunMark;
        return PassTrail.Passed.of(list < lastList || list == lastList && mark <= lastMark);
    }
}
